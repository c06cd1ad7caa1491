// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting

/// A daemon's log of tracks as a value, and the lines that a reader of it gets: random lives, a journal that forgets,
/// restarts.
struct DaemonModel {
    private var random: SeededRandom
    private(set) var run = 0
    /// The lines of the run, from number 1 on.
    private(set) var log: [String] = []
    /// The first number that the journal still has.
    private(set) var first = 1
    /// The newest line of each live track, in the order of their ids, and how many frames it has been missing.
    private(set) var live: [(id: Int, missing: Int)] = []
    private var nextID = 1

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    var runID: String { "run\(run)" }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    /// One more frame: each live track goes on or ends, and another may begin.
    mutating func process() {
        for (index, (id, missing)) in live.enumerated().reversed() {
            if missing > 2 || chance(10) {
                live.remove(at: index)
                append("completed", id, missing: missing, #","reason":"gone""#)
            } else if chance(30) {
                live[index].missing += 1
                append("missing", id, missing: missing + 1)
            } else {
                live[index].missing = 0
                append("update", id)
            }
        }
        guard live.count < 4, chance(40) else { return }
        live.append((nextID, 0))
        append("detected", nextID)
        append("update", nextID)
        nextID += 1
    }

    /// Another run; the ids begin anew.
    mutating func restart() {
        run += 1
        (log, live, first, nextID) = ([], [], 1, 1)
    }

    mutating func forget(upTo number: Int) { first = max(first, min(number, log.count + 1)) }

    /// Whether a line is an `update`, and the next line of its track too.
    func isFollowedByUpdate(_ number: Int) -> Bool {
        let line = log[number - 1]
        guard let track = line.firstRange(of: #""track""#), line.contains(#""update""#) else { return false }
        let id = line[track.lowerBound...].prefix { $0 != "," }
        return log[number...].first { $0.contains(id) }?.contains(#""update""#) == true
    }

    var hello: String {
        #"{"v":1,"type":"hello","server":"x","run_id":"\#(runID)","next_seq":\#(log.count + 1),"pipelines":[]}"#
    }

    /// The live tracks, in two lines where there are several.
    var state: [String] {
        let tracks = live.map { "{\(Self.members($0.id, missing: $0.missing))}" }
        let half = tracks.count / 2
        let parts = half > 0 ? [Array(tracks[..<half]), Array(tracks[half...])] : [tracks]
        return parts.enumerated().map { index, part in
            let more = index < parts.count - 1 ? #""more":true,"# : ""
            return #"{"v":1,"type":"state","as_of":\#(log.count),\#(more)"tracks":[\#(part.joined(separator: ","))]}"#
        }
    }

    static let ping = #"{"v":1,"type":"ping"}"#
    static let otherRun = #"{"v":1,"type":"gap","reason":"other_run"}"#

    static func gap(_ from: Int, _ to: Int, _ reason: String) -> String {
        #"{"v":1,"type":"gap","from":\#(from),"to":\#(to),"reason":"\#(reason)"}"#
    }

    private mutating func append(_ type: String, _ id: Int, missing: Int = 0, _ more: String = "") {
        let head = #"{"v":1,"seq":\#(log.count + 1),"run_id":"\#(runID)","type":"\#(type)","#
        log.append("\(head)\(Self.members(id, missing: missing))\(more)}")
    }

    private static func members(_ id: Int, missing: Int) -> String {
        #""pipeline":"door","detector":"face","kind":"face","frame":{"epoch":1,"seq":1,"pts_ns":1,"width":8,"height":8},"#
            + #""track":{"id":"\#(id)","age_frames":1,"hits":1,"missing_frames":\#(missing),"first_seen":"x","last_seen":"x"}"#
    }
}
