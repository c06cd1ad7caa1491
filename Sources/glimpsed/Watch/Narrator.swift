/// Tells a stream of events in sentences, leaving out the updates that bring nothing new, and counts them all.
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

    /// nil for a line that needs no words.
    mutating func tell(_ line: WatchedLine) -> String? {
        counts[line.type, default: 0] += 1
        switch line.type {
        case "source": return "          source \(line.state ?? "")\(line.error.map { ": \($0)" } ?? "")"
        case "detector":
            let state = line.operational == true ? "operational" : "NOT operational"
            return
                "          \(line.detector ?? "") detector \(state)\(line.model.map { " (\($0))" } ?? "")\(line.reason.map { ": \($0)" } ?? "")"
        default: return track(line)
        }
    }

    private mutating func track(_ line: WatchedLine) -> String? {
        guard let detector = line.detector, let kind = line.kind, let track = line.track else { return nil }
        let key = Key(detector: detector, id: track.id)
        if !line.what.isEmpty { names[key] = line.what }
        let name = "\(kind) \(track.id)" + (names[key].map { "  \($0)" } ?? "")
        let time = line.frame.map { Self.seconds($0.presentationTime) } ?? ""
        func sentence(_ verb: String, _ more: String = "") -> String {
            "\(time)  \(verb.padded(to: 10))\(name)\(more.isEmpty ? "" : "  (\(more))")"
        }
        switch line.type {
        case "detected":
            seen[kind, default: []].insert(track.id)
            return sentence("detected", line.place)
        case "update":
            let isBack = missing.remove(key) != nil
            let isFirst = updated.insert(key).inserted
            return isFirst || isBack ? sentence("update", isBack ? "back again, \(line.place)" : line.place) : nil
        case "missing": return missing.insert(key).inserted ? sentence("missing") : nil
        case "completed":
            let duration = Double(line.durationMilliseconds ?? 0) / 1000
            return sentence("completed", "\(line.reason ?? ""); seen for \(duration) s in \(line.frames ?? 0) frames")
        default: return nil
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
