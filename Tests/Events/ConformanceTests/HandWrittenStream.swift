// SPDX-License-Identifier: Apache-2.0
import Conformance
import GlimpseTesting
import Observations

/// A hand-written event stream: two tracks of one detector over four frames, with the lines of a source around them.
struct HandWrittenStream {
    var lines: [String]

    /// The lines that a pipeline in the foreground writes.
    static var foreground: HandWrittenStream {
        var events = SampleEvents()
        let steps: [(TrackPhase, UInt64, UInt64)] = [
            (.detected, 1, 1), (.update, 1, 1),
            (.detected, 2, 2), (.update, 2, 2), (.update, 1, 2),
            (.missing, 1, 3), (.update, 2, 3),
            (.completed(.gone), 1, 4), (.missing, 2, 4),
            (.completed(.endOfStream), 2, 4),
        ]
        var all = [events.source(.connecting), events.source(.connected)]
        for (phase, id, frame) in steps { all.append(events.track(phase, id: id, frame: frame)) }
        all.append(events.source(.ended))
        return HandWrittenStream(lines: all.map { String(decoding: $0.line.dropLast(), as: UTF8.self) })
    }

    /// The lines that the daemon sends, numbered from 1.
    static var daemon: HandWrittenStream {
        var stream = foreground
        stream.lines = stream.lines.enumerated().map { numbered($1, $0 + 1) }
        return stream
    }

    static func numbered(_ line: String, _ seq: Int, run: String = "r1") -> String {
        line.replacing(#"{"v":1,"#, with: #"{"v":1,"seq":\#(seq),"run_id":"\#(run)","#, maxReplacements: 1)
    }

    /// The frame line of the stream's detector.
    static func frame(_ number: UInt64) -> String {
        var events = SampleEvents()
        return String(decoding: events.frame(number).line.dropLast(), as: UTF8.self)
    }

    static let moment = #""time":"1970-01-01T00:00:00.000000000Z","clock":"arrival""#

    static func hello(next: Int, run: String = "r1") -> String {
        #"{"v":1,"type":"hello",\#(moment),"server":"t","run_id":"\#(run)","next_seq":\#(next),"pipelines":[]}"#
    }

    static func gap(_ members: String) -> String { #"{"v":1,"type":"gap",\#(moment),\#(members)}"# }

    /// - Parameter tracks: lines that stand for live tracks.
    static func state(asOf: Int, _ tracks: [String] = []) -> String {
        #"{"v":1,"type":"state",\#(moment),"as_of":\#(asOf),"tracks":[\#(tracks.joined(separator: ","))]}"#
    }

    func violation(isFiltered: Bool = false, types: Set<String>? = nil, isOpen: Bool = false) -> Violation? {
        GlimpseTesting.violation(in: lines.map { Array($0.utf8) }, isFiltered: isFiltered, types: types, isOpen: isOpen)
    }

    /// The stream after a change of its lines.
    func with(_ change: (inout [String]) -> Void) -> HandWrittenStream {
        var stream = self
        change(&stream.lines)
        return stream
    }
}
