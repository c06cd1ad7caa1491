// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Observations
import Tapes
import TerminalText

/// The difference that other settings make, as text and as JSON.
struct DifferenceReport {
    private let (a, b): (String, String)
    private let differences: [TrackDifference]

    init(a: String, b: String, _ differences: [TrackDifference]) {
        (self.a, self.b) = (a, b)
        self.differences = differences
    }

    // MARK: For people

    var text: String {
        var lines: [String] = []
        for difference in differences {
            switch difference {
            case .both(let a, let b):
                guard !difference.changes.isEmpty else { continue }
                lines.append(
                    "changed    \(name(a)) -> \(b.id): \(difference.changes.map { words($0, a, b) }.joined(separator: "; "))"
                )
            case .onlyA(let life, let kin):
                lines.append("only in A  \(name(life)): \(story(life))\(words(kin, "B", life))")
            case .onlyB(let life, let kin):
                lines.append("only in B  \(name(life)): \(story(life))\(words(kin, "A", life))")
            }
        }
        let counts = counts
        lines.append(
            "A \(a): \(counted(counts.a)); B \(b): \(counted(counts.b)); \(counts.same) the same, \(counts.changed) changed, "
                + "\(counts.onlyA) only in A, \(counts.onlyB) only in B")
        return lines.map { $0 + "\n" }.joined()
    }

    private func name(_ life: TrackLife) -> String {
        "\(life.detector) \(life.id)\(life.label.map { " \($0.printable)" } ?? "")"
    }

    private func story(_ life: TrackLife) -> String {
        "\(seconds(life.detectedAt)) to \(seconds(life.lastAt)), \(life.frames) frames, \(words(life.reason))"
    }

    private func words(_ change: TrackDifference.Change, _ a: TrackLife, _ b: TrackLife) -> String {
        switch change {
        case .detected: "detected at \(seconds(a.detectedAt)) -> \(seconds(b.detectedAt))"
        case .last: "last seen at \(seconds(a.lastAt)) -> \(seconds(b.lastAt))"
        case .frames: "\(a.frames) -> \(b.frames) frames"
        case .reason: "\(words(a.reason)) -> \(words(b.reason))"
        case .label: "\(a.label?.printable ?? "nothing") -> \(b.label?.printable ?? "nothing")"
        }
    }

    private func words(_ kin: TrackDifference.Kin?, _ side: String, _ life: TrackLife) -> String {
        kin.map { "; \($0.frames) of them in \(side)'s \(life.detector) \($0.id)" } ?? ""
    }

    private func words(_ reason: CompletionReason?) -> String { reason?.rawValue ?? "live at the tape's end" }

    private func seconds(_ nanoseconds: Int64) -> String {
        let hundredths = nanoseconds / 10_000_000
        let fraction = "\(abs(hundredths % 100))"
        return "\(hundredths / 100).\(fraction.count < 2 ? "0" : "")\(fraction) s"
    }

    private func counted(_ tracks: Int) -> String { "\(tracks) track\(tracks == 1 ? "" : "s")" }

    // MARK: As JSON

    var json: [UInt8] {
        var bytes: [UInt8] = []
        for difference in differences {
            switch difference {
            case .both(let a, let b):
                line(difference.changes.isEmpty ? "same" : "changed", to: &bytes) { json in
                    if !difference.changes.isEmpty {
                        json.array("changes") { json in
                            for change in difference.changes { json.element(change.rawValue) }
                        }
                    }
                    json.object("a") { a.encode(to: &$0) }
                    json.object("b") { b.encode(to: &$0) }
                }
            case .onlyA(let life, let kin):
                line("only_a", to: &bytes) { json in
                    json.object("a") { life.encode(to: &$0) }
                    kin?.encode(to: &json)
                }
            case .onlyB(let life, let kin):
                line("only_b", to: &bytes) { json in
                    json.object("b") { life.encode(to: &$0) }
                    kin?.encode(to: &json)
                }
            }
        }
        let counts = counts
        line("summary", to: &bytes) { json in
            json.member("a", a)
            json.member("b", b)
            json.member("tracks_a", counts.a)
            json.member("tracks_b", counts.b)
            json.member("same", counts.same)
            json.member("changed", counts.changed)
            json.member("only_a", counts.onlyA)
            json.member("only_b", counts.onlyB)
        }
        return bytes
    }

    private func line(_ name: String, to bytes: inout [UInt8], _ members: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        json.object { json in
            json.member("diff", name)
            members(&json)
        }
        bytes += json.bytes + [UInt8(ascii: "\n")]
    }

    private var counts: (a: Int, b: Int, same: Int, changed: Int, onlyA: Int, onlyB: Int) {
        var counts = (a: 0, b: 0, same: 0, changed: 0, onlyA: 0, onlyB: 0)
        for difference in differences {
            switch difference {
            case .both:
                if difference.changes.isEmpty { counts.same += 1 } else { counts.changed += 1 }
            case .onlyA: counts.onlyA += 1
            case .onlyB: counts.onlyB += 1
            }
        }
        counts.a = counts.same + counts.changed + counts.onlyA
        counts.b = counts.same + counts.changed + counts.onlyB
        return counts
    }
}

extension TrackLife {
    fileprivate func encode(to json: inout JSONWriter) {
        json.member("detector", detector)
        json.member("kind", kind.rawValue)
        json.member("id", id.description)
        if let label { json.member("label", label) }
        json.member("detected_ns", detectedAt)
        json.member("last_ns", lastAt)
        json.member("frames", frames)
        if let reason { json.member("reason", reason.rawValue) }
    }
}

extension TrackDifference.Kin {
    fileprivate func encode(to json: inout JSONWriter) {
        json.object("shares") { json in
            json.member("id", id.description)
            json.member("frames", frames)
        }
    }
}
