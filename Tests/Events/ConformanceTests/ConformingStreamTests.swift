// SPDX-License-Identifier: Apache-2.0
import Conformance
import GlimpseTesting
import Testing

/// The streams that conform, and the lines that account for missing lines.
@Suite struct ConformingStreamTests {
    /// A track line of the daemon's stream in the form of the `state` line.
    private func live(_ line: String) -> String {
        line.replacing(#"{"v":1,"#, with: "{").replacing(#/"seq":\d+,"run_id":"r1","type":"[a-z]+",/#, with: "")
    }

    private let daemon = HandWrittenStream.daemon.lines

    /// The daemon's stream with `line` in place of the lines `missing`, counted from 0.
    private func daemon(_ line: String? = nil, insteadOf missing: Range<Int>) -> HandWrittenStream {
        HandWrittenStream.daemon.with { $0.replaceSubrange(missing, with: line.map { [$0] } ?? []) }
    }

    /// The opening lines of a connection, and the daemon's lines from `start` on, counted from 0.
    private func stream(_ opening: [String], from start: Int) -> HandWrittenStream {
        HandWrittenStream(lines: opening + Array(daemon[start...]))
    }

    @Test func completeStreamsConform() {
        #expect(HandWrittenStream.foreground.violation() == nil)
        #expect(HandWrittenStream.daemon.violation() == nil)
        #expect(HandWrittenStream.daemon.with { $0.insert(HandWrittenStream.hello(next: 1), at: 0) }.violation() == nil)
        #expect(HandWrittenStream(lines: []).violation() == nil)
    }

    /// For every choice of types, the filtered stream conforms, and the filtered stream with a lost line does not.
    @Test func streamsOfChosenTypesConform() {
        let steps = ["detected", "update", "missing", "completed"]
        for choice in 1..<16 {
            let types = Set(steps.enumerated().filter { choice >> $0.offset & 1 == 1 }.map(\.element))
            func chosen(_ line: String) -> Bool { types.contains { line.contains(#""type":"\#($0)""#) } }
            for whole in [HandWrittenStream.foreground, HandWrittenStream.daemon] {
                let stream = HandWrittenStream(lines: whole.lines.filter(chosen))
                #expect(stream.violation(types: types) == nil, "\(types)")
                #expect(whole.violation(types: types)?.problem.contains("expected") == true)
            }
            let twice = HandWrittenStream(lines: HandWrittenStream.foreground.lines.filter(chosen)).with {
                $0.insert($0[0], at: 1)
            }
            if types != ["completed"] { #expect(twice.violation(types: types) != nil, "\(types)") }
            if types.isSuperset(of: ["detected", "completed"]) {
                let open = HandWrittenStream(lines: HandWrittenStream.daemon.lines.dropLast(2).filter(chosen))
                #expect(open.violation(types: types)?.problem == "track 2 of door/face: never completed")
            }
        }
    }

    @Test func totalsOfCrossingsCount() {
        func crossing(_ direction: String, _ crossedIn: Int, _ crossedOut: Int, line: String = "door") -> String {
            let frame = #""frame":{"epoch":1,"seq":2,"pts_ns":1,"width":9,"height":9,"rotation":0,"mirrored":false}"#
            return #"{"v":1,"type":"line",\#(HandWrittenStream.moment),"pipeline":"door",\#(frame),"detector":"face","#
                + #""kind":"face","track":{"id":"1"},"line":"\#(line)","direction":"\#(direction)","#
                + #""in":\#(crossedIn),"out":\#(crossedOut)}"#
        }
        func problem(_ lines: [String]) -> String? {
            var stream = HandWrittenStream.foreground
            stream.lines.insert(contentsOf: lines, at: 4)
            return stream.violation()?.problem
        }
        #expect(problem([crossing("in", 7, 2), crossing("out", 7, 3), crossing("in", 1, 0, line: "gate")]) == nil)
        #expect(
            problem([crossing("in", 7, 2), crossing("out", 8, 2)])
                == "line door/door: out gives totals of 8 in, 2 out after 7 in, 2 out")
    }

    @Test func zoneLinesOfAStreamConform() {
        func zone(_ state: String, _ zone: String = "desk", id: Int = 1, dwell: Int? = nil) -> String {
            let dwell = (dwell ?? (state == "dwelling" ? 5 : nil)).map { #","dwell_ms":\#($0)"# } ?? ""
            let track = #""detector":"face","kind":"face","track":{"id":"\#(id)"}"#
            let frame = #""frame":{"epoch":1,"seq":1,"pts_ns":0,"width":9,"height":9,"rotation":0,"mirrored":false}"#
            return #"{"v":1,"type":"zone",\#(HandWrittenStream.moment),"pipeline":"door",\#(frame),\#(track),"#
                + #""zone":"\#(zone)","state":"\#(state)"\#(dwell)}"#
        }
        func problem(_ lines: [String], at place: Int = 4) -> String? {
            HandWrittenStream.foreground.with { $0.insert(contentsOf: lines, at: place) }.violation()?.problem
        }
        let track = "track 1 of door/face: "
        #expect(problem([zone("entered"), zone("dwelling"), zone("left"), zone("entered"), zone("left")]) == nil)
        #expect(problem([zone("entered"), zone("entered")]) == track + "entered zone desk, but is already in it")
        #expect(problem([zone("entered"), zone("left", "door")]) == track + "left zone door, but is not in it")
        #expect(problem([zone("dwelling")]) == track + "dwelling zone desk, but is not in it")
        #expect(problem([zone("entered")]) == track + "completed, but it has not left zone desk")
        #expect(problem([zone("crossed")]) == nil)
        #expect(problem([zone("entered"), zone("dwelling"), zone("left", dwell: 5)]) == nil)
        #expect(
            problem([zone("entered"), zone("dwelling"), zone("left", dwell: 4)])
                == track + "left zone desk after 4 ms, but had already dwelt for 5 ms")
        // Line 9 is the track's first missing one.
        let missing = HandWrittenStream.foreground.with {
            $0.insert(zone("entered"), at: 4)
            $0.insert(contentsOf: [zone("dwelling"), zone("left")], at: 9)
        }
        #expect(missing.violation()?.problem == track + "dwelling zone desk, but it is missing")
    }

    @Test func stateLinesNameTheLiveTracks() {
        let live = [live(daemon[3]), live(daemon[5])]
        let stream = stream([HandWrittenStream.hello(next: 7), HandWrittenStream.state(asOf: 6, live)], from: 6)
        #expect(stream.violation() == nil)
        let without = stream.with { $0[1] = HandWrittenStream.state(asOf: 6, [live[1]]) }
        #expect(without.violation()?.problem == "track 1 of door/face: update, but it is not live")
    }

    /// A subscriber with a filter receives the `state` that it requested. On a busy machine events came before it.
    @Test func aLaterStateDoesNotNameTheTracksOfHello() {
        let hello = HandWrittenStream.hello(next: 7)
        let later = HandWrittenStream.state(asOf: 8, [live(daemon[8])])
        #expect(stream([hello, later], from: 6).violation() == nil)
        #expect(stream([hello], from: 6).with { $0.insert(later, at: 3) }.violation() == nil)
        // The greeting's `state` names them.
        let greeting = HandWrittenStream.state(asOf: 6, [live(daemon[5])])
        #expect(
            stream([hello, greeting, later], from: 6).violation()?.problem
                == "track 1 of door/face: update, but it is not live")
        // Before the first event no track was live.
        let first = daemon(insteadOf: 2..<3).with { lines in
            lines.insert(contentsOf: [HandWrittenStream.hello(next: 1), HandWrittenStream.state(asOf: 2)], at: 0)
        }
        #expect(first.violation(isFiltered: true)?.problem == "track 1 of door/face: update, but it was never detected")
    }

    @Test func theFirstLineMayBeAtThePlaceOfResumption() {
        let opening = [HandWrittenStream.hello(next: 14), HandWrittenStream.state(asOf: 13)]
        #expect(stream(opening, from: 0).violation() == nil)
        #expect(stream(opening, from: 6).violation() == nil)
        let twice = stream(opening, from: 6).with { $0.append(daemon[7]) }
        #expect(twice.violation()?.problem == "seq 8, expected 14")
    }

    @Test func aGapLineAccountsForItsNumbers() {
        let gap = HandWrittenStream.gap(#""from":3,"to":7,"lost":{"detected":2,"update":3},"reason":"slow""#)
        #expect(daemon(gap, insteadOf: 2..<7).violation() == nil)
        #expect(
            daemon(gap, insteadOf: 2..<8).violation()?.problem
                == "seq 9, expected 8: neither gap nor coalesced explains the missing lines")
        // The gap may contain the ends of tracks.
        let ends = HandWrittenStream.gap(#""from":9,"to":12,"reason":"slow""#)
        #expect(daemon(ends, insteadOf: 8..<12).violation() == nil)
        // The gap does not contain a track that was detected later.
        let later = HandWrittenStream.daemon.with {
            $0[2] = HandWrittenStream.gap(#""from":3,"to":3,"reason":"slow""#)
            $0[6].replace(#""id":"1""#, with: #""id":"3""#)
        }
        #expect(later.violation()?.problem == "track 3 of door/face: update, but it was never detected")
    }

    @Test func aResumptionBeyondTheJournalBeginsWithAGap() {
        let opening = [HandWrittenStream.hello(next: 14), HandWrittenStream.state(asOf: 13)]
        let journal = HandWrittenStream.gap(#""from":3,"to":6,"reason":"journal""#)
        #expect(stream(opening + [journal], from: 6).violation() == nil)
        #expect(stream(opening + [HandWrittenStream.gap(#""reason":"other_run""#)], from: 0).violation() == nil)
    }

    @Test func aCoalescedLineAccountsForUpdates() {
        let update = daemon[8].replacing(#""count":"#, with: #""coalesced":1,"count":"#)
        // The update right after detected is the one that was left out.
        let jump = daemon(insteadOf: 5..<6)
        #expect(jump.with { $0[7] = update }.violation() == nil)
        #expect(
            jump.violation()?.problem == "seq 7, expected 6: neither gap nor coalesced explains the missing lines")
    }

    /// No line accounts for updates that a slow reader missed between its place of resumption and the first line.
    @Test func aCoalescedLineMayReachBeforeAResumption() {
        let resumed = stream([HandWrittenStream.hello(next: 14), HandWrittenStream.state(asOf: 13)], from: 6)
        func coalescing(_ count: Int) -> HandWrittenStream {
            resumed.with { lines in
                guard let place = lines.firstIndex(of: daemon[8]) else { return }
                lines[place] = daemon[8].replacing(#""count":"#, with: #""coalesced":\#(count),"count":"#)
            }
        }
        #expect(coalescing(6).violation() == nil)
        #expect(coalescing(7).violation()?.problem == "coalesced 7, expected at most 6: seq skipped fewer numbers")
    }

    @Test func numbersOfAFilteredStreamMayJump() {
        let lines = HandWrittenStream.foreground.lines[2...11]
        let filtered = HandWrittenStream(
            lines: zip(lines, lines.indices).map { HandWrittenStream.numbered($0, $1 * 5) })
        #expect(filtered.violation(isFiltered: true) == nil)
        #expect(filtered.violation() != nil)
    }

    @Test func anOpenStreamMayEndAnywhere() {
        for count in 0...daemon.count {
            #expect(HandWrittenStream(lines: Array(daemon[..<count])).violation(isOpen: true) == nil)
        }
        #expect(
            HandWrittenStream(lines: Array(daemon[..<7]) + [HandWrittenStream.hello(next: 9, run: "r2")]).violation(
                isOpen: true) == nil)
    }

    @Test func aLineOfAnUnknownTypeConforms() {
        let unknown =
            #"{"v":1,"type":"weather",\#(HandWrittenStream.moment),"track":7,"frame":[1,{"x":null}],"reason":{}}"#
        #expect(HandWrittenStream.foreground.with { $0.insert(unknown, at: 5) }.violation() == nil)
        #expect(HandWrittenStream.daemon.with { $0.append(HandWrittenStream.numbered(unknown, 14)) }.violation() == nil)
    }

    @Test func theSummaryCountsTheLinesOfTheStream() {
        var check = ConformanceCheck()
        check.take(Array(daemon.map { $0 + "\n" }.joined().utf8))
        check.finish()
        #expect(check.violation == nil)
        let summary = check.summary
        #expect([summary.lines, summary.tracks, summary.detectors, summary.runs] == [13, 2, 1, 1])
    }
}
