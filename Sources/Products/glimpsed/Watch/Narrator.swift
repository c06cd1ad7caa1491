// SPDX-License-Identifier: Apache-2.0
import GlimpseClient

/// Describes a stream of events in sentences. It omits updates without news, and counts all events.
struct Narrator {
    private struct Key: Hashable {
        var detector: String
        var id: String
    }

    private var counts: [String: Int] = [:]
    private var seen: [String: Set<String>] = [:]
    private var updated: Set<Key> = []
    private var missing: Set<Key> = []
    private var names: [Key: String] = [:]

    var sawAnything: Bool { !seen.isEmpty }

    /// nil for a line that needs no sentence.
    mutating func tell(_ event: Event) -> String? {
        switch event.content {
        case .source(let source): "          source \(source.state)\(source.error.map { ": \($0)" } ?? "")"
        case .detector(let detector):
            "          \(detector.detector) detector \(detector.operational ? "operational" : "NOT operational")"
                + "\(detector.model.map { " (\($0))" } ?? "")\(detector.reason.map { ": \($0)" } ?? "")"
        case .track(let track): tell(track)
        case .zone(let zone):
            "          \(zone.kind) \(zone.id) \(zone.state == "dwelling" ? "is dwelling in" : zone.state) \(zone.zone)"
        case .line(let crossing): "          \(crossing.sentence)"
        default: nil
        }
    }

    private mutating func tell(_ track: TrackEvent) -> String? {
        counts[track.phase.rawValue, default: 0] += 1
        let key = Key(detector: track.detector, id: track.id)
        if !track.what.isEmpty { names[key] = track.what }
        let name = "\(track.kind) \(track.id)" + (names[key].map { "  \($0)" } ?? "")
        let time = Self.seconds(track.frame.presentationTime)
        func sentence(_ verb: String, _ more: String = "") -> String {
            "\(time)  \(verb.padded(to: 10))\(name)\(more.isEmpty ? "" : "  (\(more))")"
        }
        switch track.phase {
        case .detected:
            seen[track.kind, default: []].insert(track.id)
            return sentence("detected", track.place)
        case .update:
            let isBack = missing.remove(key) != nil
            let isFirst = updated.insert(key).inserted
            return isFirst || isBack ? sentence("update", isBack ? "back again, \(track.place)" : track.place) : nil
        case .missing: return missing.insert(key).inserted ? sentence("missing") : nil
        case .completed:
            let duration = Double(track.durationMilliseconds ?? 0) / 1000
            return sentence("completed", "\(track.reason ?? ""); seen for \(duration) s in \(track.frames ?? 0) frames")
        }
    }

    var summary: String {
        let features = seen.sorted { $0.key < $1.key }.map {
            "\($0.value.count) \($0.key)\($0.value.count == 1 ? "" : "s")"
        }
        let callbacks = ["detected", "update", "missing", "completed"].map { "\($0) \(counts[$0] ?? 0)" }
        return
            "seen: \(features.isEmpty ? "nothing" : features.joined(separator: ", ")); events: \(callbacks.joined(separator: ", "))"
    }

    private static func seconds(_ nanoseconds: Int64) -> String {
        let hundredths = nanoseconds / 10_000_000
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) s".leftPadded(to: 8)
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
    fileprivate func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
