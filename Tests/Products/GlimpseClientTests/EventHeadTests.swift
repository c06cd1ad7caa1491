// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

@testable import GlimpseClient

@Suite struct EventHeadTests {
    private func line(_ type: String, _ rest: String = #""pipeline":"door","time":"x","clock":"arrival"}"#) -> String {
        #"{"v":1,"seq":42,"run_id":"r","type":"\#(type)",\#(rest)"#
    }

    @Test(arguments: ["detected", "update", "missing", "completed", "zone", "source", "snapshot", "new"])
    func theHeadEqualsTheDecodedLine(type: String) throws {
        for rest in [
            #""pipeline":"door","time":"x"}"#, #""revision":2}"#, #""pipeline":"d\"oor"}"#,
            #""tags":{},"pipeline":"a"}"#,
        ] {
            let bytes = Array(line(type, rest).utf8)
            let head = try #require(Event.head(of: bytes))
            let whole = try #require(Event(line: bytes))
            #expect(head.position == whole.position && head.json == whole.json, "\(rest)")
            #expect(head.pipeline == whole.pipeline, "\(rest)")
        }
        let head = EventHead(Array(line(type).utf8))
        #expect(head?.type == type && head?.pipeline == "door")
    }

    /// Lines of the connection itself have no head, so they are decoded.
    @Test(arguments: [
        #"{"v":1,"type":"hello","run_id":"r","next_seq":1,"pipelines":[]}"#, #"{"v":1,"type":"gap","from":1,"to":2}"#,
        #"{"v":1,"seq":99999999999999999999,"run_id":"r","type":"update"}"#, #"{"v":1,"seq":,"run_id":"r"}"#,
        #"{"v":1,"seq":1,"run_id":"r\u0041","type":"update"}"#, "", "{",
    ])
    func anotherFormHasNoHead(text: String) {
        #expect(EventHead(Array(text.utf8)) == nil)
    }

    @Test func everyBeginningOfALineIsReadWithoutATrap() {
        let bytes = Array(line("update").utf8)
        for count in 0...bytes.count { _ = EventHead(Array(bytes[..<count])) }
    }
}
