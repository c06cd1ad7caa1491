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
        if let fps = pipeline.source.fps { parts.append("\(rate(fps)) frames/s") }
        parts.append("\(pipeline.tracks) \(pipeline.tracks == 1 ? "track" : "tracks")")
        if let uptime = pipeline.uptime_ms { parts.append("up \(duration(uptime))") }
        if pipeline.restarts > 0 {
            parts.append("\(pipeline.restarts) \(pipeline.restarts == 1 ? "restart" : "restarts")")
        }
        if let memory = pipeline.memory_bytes { parts.append("\(memory >> 20) MiB") }
        if let pid = pipeline.pid { parts.append("pid \(pid)") }
        var lines = [parts.joined(separator: ", ")]
        if let error = pipeline.last_error { lines.append("  last error: \(error)") }
        lines += pipeline.detectors.map(line)
        if let pictures = pipeline.pictures { lines.append(line(pictures)) }
        return lines
    }

    private static func line(_ pictures: ReplyLine.Pipeline.Pictures) -> String {
        let rest = [
            ("waiting", pictures.waiting), ("refused", pictures.refused), ("failed", pictures.failed),
            ("deleted", pictures.deleted),
        ].filter { $0.1 > 0 }.map { ", \($0.1) \($0.0)" }
        return "  pictures: \(pictures.written) written\(rest.joined())"
    }

    private static func line(_ detector: ReplyLine.Pipeline.Detector) -> String {
        guard detector.operational != false else {
            return "  \(detector.name): not operational\(detector.reason.map { ": \($0)" } ?? "")"
        }
        var parts: [String] = []
        if let fps = detector.fps { parts.append("\(rate(fps)) frames/s") }
        if let latency = detector.latency_us {
            parts.append("\(milliseconds(latency.p50)) ms a frame (95 %: \(milliseconds(latency.p95)) ms)")
        }
        if let dropped = detector.dropped, let processed = detector.processed {
            let losses = dropped.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            parts.append(
                losses.isEmpty
                    ? "\(processed) frames" : "\(processed) frames, dropped: \(losses.joined(separator: ", "))")
        }
        for (name, count) in [
            ("refused detections", detector.refused_detections), ("evicted tracks", detector.evicted_tracks),
        ] {
            if let count, count > 0 { parts.append("\(name): \(count)") }
        }
        if let small = detector.too_small {
            parts.append("faces below min_size: \(small.faces), shown by min_size = \(small.min_size)")
        }
        return "  \(detector.name): \(parts.isEmpty ? "no frame yet" : parts.joined(separator: ", "))"
    }

    private static func rate(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

    private static func milliseconds(_ microseconds: UInt64) -> String {
        "\((Double(microseconds) / 100).rounded() / 10)"
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
