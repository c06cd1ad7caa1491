// SPDX-License-Identifier: Apache-2.0
import Conformance
import GlimpseTesting
import Testing

/// Every kind of violation, with its line and its text.
@Suite struct ViolationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var what: String
        var expected: String
        var isDaemon = false
        var isFiltered = false
        var change: @Sendable (inout [String]) -> Void

        var testDescription: String { what }
    }

    /// Lines 1 and 2 of the stream are `source`. Lines 3 and 4 are `detected` and `update` of track 1, lines 5 and 6
    /// those of track 2. Then come 7 update 1, 8 missing 1, 9 update 2, 10 completed 1, 11 missing 2, 12 completed 2,
    /// 13 source.
    static let rows: [Row] = [
        // Lines
        Row(what: "no JSON", expected: "line 3: not a JSON object in UTF-8") { $0[2] = #"{"v":1"# },
        Row(what: "an array", expected: "line 3: not a JSON object in UTF-8") { $0[2] = "[]" },
        Row(what: "an empty line", expected: "line 3: not a JSON object in UTF-8") { $0[2] = "" },
        Row(what: "not a number", expected: "line 3: new.x is not JSON") {
            $0[2].replace(#"{"v":1"#, with: #"{"new":{"x":-},"v":1"#)
        },
        Row(what: "65,536 bytes", expected: "line 3: the line is longer than 64 KiB") {
            $0[2] = String(repeating: " ", count: 65_536)
        },
        // Frame lines
        Row(
            what: "a frame line before its frame's last line",
            expected: "line 8: frame 2 of epoch 1 continues for door/face, expected all its lines together"
        ) {
            $0.insert(HandWrittenStream.frame(2), at: 6)
        },
        Row(
            what: "a frame line twice",
            expected:
                "line 6: the frame line of frame 1 of epoch 1 for door/face, expected one after frame 1 of epoch 1"
        ) {
            $0.insert(contentsOf: [HandWrittenStream.frame(1), HandWrittenStream.frame(1)], at: 4)
        },
        Row(
            what: "an old frame's line",
            expected:
                "line 8: the frame line of frame 1 of epoch 1 for door/face, expected none before frame 2 of epoch 1"
        ) {
            $0.insert(HandWrittenStream.frame(1), at: 7)
        },
        Row(what: "a frame line with a number", expected: "line 5: seq must be absent", isDaemon: true) {
            $0.insert(HandWrittenStream.numbered(HandWrittenStream.frame(1), 5), at: 4)
        },
        // Schema
        Row(what: "another version", expected: "line 1: v is not 1") { $0[0].replace(#""v":1"#, with: #""v":2"#) },
        Row(what: "a member missing", expected: "line 3: track.hits is missing") {
            $0[2].replace(#""hits":"#, with: #""hots":"#)
        },
        Row(what: "a null", expected: "line 3: count is not a whole number from 0 up") {
            $0[2].replace(#""count":2"#, with: #""count":null"#)
        },
        Row(what: "a string for a number", expected: "line 3: box.x is not a number from 0.0 up") {
            $0[2].replace(#""x":101.5"#, with: #""x":"101.5""#)
        },
        Row(what: "a width of 0", expected: "line 3: box.w is not a number above 0.0") {
            $0[2].replace(#""w":80"#, with: #""w":0"#)
        },
        Row(what: "a ratio over 1", expected: "line 3: confidence is not a number from 0.0 to 1.0") {
            $0[2].replace("0.875", with: "1.5")
        },
        Row(what: "a bad time", expected: "line 1: time is not a time as 1970-01-01T00:00:00.000000000Z") {
            $0[0].replace("T00:00:00.000000000Z", with: " 00:00:00Z")
        },
        Row(what: "a bad name", expected: "line 1: state is not a name of a-z, 0-9 and _") {
            $0[0].replace(#""connecting""#, with: #""Connecting""#)
        },
        Row(what: "a rotation of 45", expected: "line 3: frame.rotation is not 0 or 90 or 180 or 270") {
            $0[2].replace(#""rotation":0"#, with: #""rotation":45"#)
        },
        Row(what: "a prediction in an update", expected: "line 4: predicted must be absent") {
            $0[3].replace(#""count":"#, with: #""predicted":true,"count":"#)
        },
        Row(what: "a box alone", expected: "line 8: nbox is missing, but box requires it") {
            $0[7].replace(#""nbox":"#, with: #""xbox":"#)
        },
        Row(what: "neither revision nor error", expected: "line 1: the line has neither changed and revision, or error")
        {
            $0[0].replace(#""source""#, with: #""config""#)
        },
        Row(what: "an id that is no number", expected: "line 3: track.id is not a whole number as a string") {
            $0[2].replace(#""id":"1""#, with: #""id":"one""#)
        },
        // Sequence
        Row(
            what: "a number missing",
            expected: "line 6: seq 7, expected 6: neither gap nor coalesced explains the missing lines", isDaemon: true
        ) {
            $0.remove(at: 5)
        },
        Row(what: "a number twice", expected: "line 3: seq 2, expected 3", isDaemon: true) { $0.insert($0[1], at: 2) },
        Row(
            what: "a number before", expected: "line 4: seq 3, expected 4", isDaemon: true
        ) { $0[3] = $0[2] },
        Row(
            what: "a beginning missing",
            expected: "line 1: seq 2, expected 1: neither hello nor gap explains the missing lines",
            isDaemon: true
        ) { $0.removeFirst() },
        Row(what: "another run", expected: "line 2: run_id r2, expected r1: no hello between", isDaemon: true) {
            $0[1].replace(#""r1""#, with: #""r2""#)
        },
        Row(what: "a line without a number", expected: "line 2: no seq, expected 2", isDaemon: true) {
            $0[1].replace(#""seq":2,"run_id":"r1","#, with: "")
        },
        Row(what: "a number in the foreground", expected: "line 2: seq 2, expected no seq as in the earlier lines") {
            $0[1] = HandWrittenStream.numbered($0[1], 2)
        },
        Row(what: "a gap elsewhere", expected: "line 3: from 9, expected 3", isDaemon: true) {
            $0.insert(HandWrittenStream.gap(#""from":9,"to":9,"reason":"slow""#), at: 2)
        },
        Row(what: "a gap backwards", expected: "line 3: to 2, expected from, which is 3, or more", isDaemon: true) {
            $0.insert(HandWrittenStream.gap(#""from":3,"to":2,"reason":"slow""#), at: 2)
        },
        Row(what: "a state of the past", expected: "line 3: as_of 1, expected 2 or more", isDaemon: true) {
            $0.insert(HandWrittenStream.state(asOf: 1), at: 2)
        },
        Row(
            what: "coalesced without a jump",
            expected: "line 7: coalesced 1, expected at most 0: seq skipped fewer numbers",
            isDaemon: true
        ) {
            $0[6].replace(#""count":"#, with: #""coalesced":1,"count":"#)
        },
        Row(
            what: "a number that goes back, filtered", expected: "line 4: seq 3, expected 4", isDaemon: true,
            isFiltered: true
        ) {
            $0[3] = $0[2]
        },
        // Frames
        Row(
            what: "completed after missing",
            expected:
                "line 11: track 1 of door/face: completed is out of order in its frame, expected completed, missing, detected with "
                + "update, update, each in ascending order of ids"
        ) { $0.swapAt(9, 10) },
        Row(
            what: "a frame that goes on",
            expected: "line 9: frame 2 of epoch 1 continues for door/face, expected all its lines together"
        ) {
            let other = $0[4...5].map { $0.replacing(#""detector":"face""#, with: #""detector":"other""#) }
            $0.insert(contentsOf: other, at: 6)
        },
        Row(
            what: "a frame of before",
            expected: "line 7: frame 1 of epoch 1 for door/face, expected one after frame 2 of epoch 1"
        ) {
            $0[6].replace(#""seq":2,"pts"#, with: #""seq":1,"pts"#)
        },
        Row(what: "twice in a frame", expected: "line 8: track 1 of door/face: reported twice in one frame") {
            $0.insert($0[6], at: 7)
        },
        // Lives
        Row(what: "no detected", expected: "line 3: track 1 of door/face: update, but it was never detected") {
            $0.remove(at: 2)
        },
        Row(what: "no update with it", expected: "line 4: track 1 of door/face: detected without an update") {
            $0.remove(at: 3)
        },
        Row(what: "detected while live", expected: "line 5: track 1 of door/face: detected, but it is live") {
            $0[4].replace(#""id":"2""#, with: #""id":"1""#)
        },
        Row(
            what: "an id used again",
            expected: "line 13: track 1 of door/face: detected, but ids must ascend, and the highest was 2"
        ) {
            $0.insert($0[2].replacing(#""seq":1,"pts"#, with: #""seq":9,"pts"#), at: 12)
        },
        Row(what: "after completed", expected: "line 13: track 2 of door/face: missing, but it is not live") {
            $0.insert($0[10].replacing(#""seq":4,"pts"#, with: #""seq":9,"pts"#), at: 12)
        },
        Row(what: "live at the end", expected: "the end: track 2 of door/face: never completed") { $0.remove(at: 11) },
        Row(what: "two live at the end", expected: "the end: track 1 of door/face: never completed, and 1 more") {
            $0.removeSubrange(9...)
        },
        Row(what: "live at another hello", expected: "line 12: track 2 of door/face: never completed", isDaemon: true) {
            $0[11] = HandWrittenStream.hello(next: 40, run: "r2")
            $0.removeLast()
        },
    ]

    @Test(arguments: rows) func everyViolationHasItsMessage(row: Row) {
        let stream = (row.isDaemon ? HandWrittenStream.daemon : .foreground).with(row.change)
        let violation = stream.violation(isFiltered: row.isFiltered)
        #expect(violation.map { String($0.description.split(separator: "\n")[0]) } == row.expected)
    }

    @Test func aViolationShowsItsLineShortenedWithoutControlCharacters() {
        let line = "\u{1B}[2J" + String(repeating: "x", count: 300)
        let violation = HandWrittenStream(lines: [line]).violation()
        let shown = "\u{FFFD}[2J" + String(repeating: "x", count: 156) + "..."
        #expect(violation?.description == "line 1: not a JSON object in UTF-8\n  \(shown)")
    }

    @Test func aLastLineWithoutItsNewlineIsCutOff() {
        for isOpen in [false, true] {
            var check = ConformanceCheck(isOpen: isOpen)
            check.take(Array((HandWrittenStream.foreground.lines.joined(separator: "\n")).utf8))
            check.finish()
            #expect(check.violation?.problem == (isOpen ? nil : "the line is incomplete, expected a newline"))
        }
    }
}
