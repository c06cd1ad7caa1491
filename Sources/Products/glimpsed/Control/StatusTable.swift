// SPDX-License-Identifier: Apache-2.0
import Observations
import TerminalText

/// The daemon's status as lines for people.
struct StatusTable {
    let reply: ReplyLine

    /// Lines without newlines.
    var lines: [String] {
        var lines = [head]
        if let keys = reply.restart_needed, !keys.isEmpty {
            lines.append("changes that take effect when the daemon is restarted: \(keys.joined(separator: ", "))")
        }
        if let journal = reply.journal { lines.append(Self.line(journal)) }
        let pipelines = reply.pipelines ?? []
        if pipelines.isEmpty { lines.append("no pipelines") }
        for pipeline in pipelines {
            lines.append("")
            lines += Self.lines(pipeline)
        }
        return lines
    }

    private var head: String {
        var parts = [reply.server ?? "glimpsed"]
        if let pid = reply.pid { parts.append("pid \(pid)") }
        if let uptime = reply.uptime_ms { parts.append("up \(Self.duration(uptime))") }
        if let config = reply.config { parts.append(config) }
        if let revision = reply.revision { parts.append("revision \(revision)") }
        if let subscribers = reply.subscribers {
            parts.append("\(subscribers) \(subscribers == 1 ? "subscriber" : "subscribers")")
        }
        return parts.joined(separator: ", ")
    }

    private static func line(_ journal: ReplyLine.Journal) -> String {
        if let error = journal.error {
            return "journal on disk: not written: \(error); \(journal.dropped) events dropped"
        }
        let range = journal.first.flatMap { first in journal.last.map { "events \(first) to \($0), " } } ?? ""
        let missed = journal.dropped > 0 ? ", \(journal.dropped) events dropped" : ""
        return "journal on disk: \(range)\(journal.bytes >> 10) KiB\(missed)"
    }

    private static func lines(_ pipeline: ReplyLine.Pipeline) -> [String] {
        var parts = ["\(pipeline.name): \(pipeline.state)"]
        if pipeline.reason == "on_demand" { parts[0] += " until a client subscribes" }
        if let fps = pipeline.source.perSecond(.received) { parts.append("\(rate(fps)) frames/s") }
        parts.append("\(pipeline.tracks) \(pipeline.tracks == 1 ? "track" : "tracks")")
        if let uptime = pipeline.uptime_ms { parts.append("up \(duration(uptime))") }
        if pipeline.restarts > 0 {
            parts.append("\(pipeline.restarts) \(pipeline.restarts == 1 ? "restart" : "restarts")")
        }
        if let memory = pipeline.memory_bytes { parts.append("\(memory >> 20) MiB") }
        if let pid = pipeline.pid { parts.append("pid \(pid)") }
        var lines = [parts.joined(separator: ", ")]
        if let error = pipeline.last_error { lines.append("  last error: \(error)") }
        if let warning = pipeline.last_warning { lines.append("  last warning: \(warning)") }
        lines += pipeline.detectors.map(line)
        if let pictures = pipeline.pictures { lines.append(line(pictures)) }
        if let reason = pipeline.pictures_withheld { lines.append("  no picture leaves the worker: \(reason)") }
        return lines.map(\.printable)
    }

    private static func line(_ pictures: MetricsReply<PictureMetric>) -> String {
        let rest = pictures.positive.filter { $0.key != .written }.map { ", \($0.number) \($0.key.row.name)" }
        return "  pictures: \(Int(pictures[.written] ?? 0)) written\(rest.joined())"
    }

    private static func line(_ detector: ReplyLine.Pipeline.Detector) -> String {
        guard detector.operational != false else {
            return "  \(detector.name): not operational\(detector.reason.map { ": \($0)" } ?? "")"
        }
        let metrics = detector.metrics
        var parts: [String] = []
        if let fps = metrics.perSecond(.processed) { parts.append("\(rate(fps)) frames/s") }
        if let median = metrics[.latencyMedian], let percentile95 = metrics[.latencyPercentile95] {
            parts.append("\(milliseconds(median)) ms a frame (95 %: \(milliseconds(percentile95)) ms)")
        }
        if let processed = metrics[.processed] {
            let drops = metrics.positive.filter { $0.key.row.group == "dropped" }
                .map { "\($0.key.row.name) \($0.number)" }.sorted()
            parts.append(
                "\(Int(processed)) frames\(drops.isEmpty ? "" : ", dropped: \(drops.joined(separator: ", "))")")
        }
        for (key, number) in metrics.positive
        where key != .processed && key != .detections && key.row.kind == .counter && key.row.group == nil {
            parts.append("\(key.row.name.replacing("_", with: " ")): \(number)")
        }
        if let faces = metrics[.smallFaces], let minSize = metrics[.smallFacesMinSize] {
            parts.append("faces below min_size: \(Int(faces)), shown by min_size = \(minSize)")
        }
        return "  \(detector.name): \(parts.isEmpty ? "no frame yet" : parts.joined(separator: ", "))"
    }

    private static func rate(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

    private static func milliseconds(_ microseconds: Double) -> String {
        "\((microseconds / 100).rounded() / 10)"
    }

    /// The duration in its two largest units.
    static func duration(_ milliseconds: Int64) -> String {
        let seconds = milliseconds / 1000
        let units: [(Int64, String)] = [(86_400, "d"), (3600, "h"), (60, "min"), (1, "s")]
        guard let first = units.firstIndex(where: { seconds >= $0.0 }) else { return "0 s" }
        var rest = seconds
        return units[first...].prefix(2).compactMap { length, unit in
            defer { rest %= length }
            return rest >= length ? "\(rest / length) \(unit)" : nil
        }.joined(separator: " ")
    }
}
