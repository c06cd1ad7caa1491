// SPDX-License-Identifier: Apache-2.0
import GlimpseClient
import Relay
import Testing

@Suite struct LiveStateTests {
    private let topics = TopicNames(prefix: "g", box: "b")

    private func event(_ text: String) throws -> Event { try #require(Event(line: Array(text.utf8)), "\(text)") }

    private func hello(_ pipelines: String) throws -> Event {
        try event(#"{"v":1,"type":"hello","run_id":"r","next_seq":10,"pipelines":[\#(pipelines)]}"#)
    }

    private static let door =
        #"{"name":"door","state":"connected","detectors":[{"name":"face","kind":"face"}],"zones":["desk"],"lines":[{"name":"gate","in":3,"out":1}]}"#

    private func track(_ type: String, id: Int, seq: Int, zones: String = "") -> String {
        let head = type.isEmpty ? "" : #""v":1,"type":"\#(type)","seq":\#(seq),"run_id":"r","#
        let frame = #""frame":{"epoch":1,"seq":1,"pts_ns":0,"width":9,"height":9}"#
        let time = "2026-11-20T08:00:00.000000000Z"
        let track =
            #""track":{"id":"\#(id)","age_frames":1,"hits":1,"missing_frames":0,"first_seen":"\#(time)","last_seen":"\#(time)"}"#
        return #"{\#(head)"pipeline":"door",\#(frame),"detector":"face","kind":"face",\#(track)\#(zones)}"#
    }

    private func values(_ state: LiveState) -> [String: String] {
        Dictionary(
            state.messages(about: "door", topics).map { ($0.topic.replacing("g/b/door/", with: ""), $0.payload) },
            uniquingKeysWith: { $1 })
    }

    private func begin(_ state: inout LiveState, tracks: String) throws {
        #expect(try state.take(hello(Self.door)) == .none)
        #expect(try state.take(event(#"{"v":1,"type":"state","as_of":12,"tracks":[\#(tracks)]}"#)) == .all)
    }

    @Test func countsFollowTracksAndZones() throws {
        var state = LiveState()
        try begin(&state, tracks: track("", id: 1, seq: 0, zones: #","zones":["desk"]"#))
        #expect(values(state)["face/count"] == "1" && values(state)["zone/desk/count"] == "1")
        #expect(values(state)["line/gate/in"] == "3" && values(state)["status"] == "online")
        // A line that the state has already.
        #expect(try state.take(event(track("completed", id: 1, seq: 12))) == .none)
        #expect(try state.take(event(track("detected", id: 2, seq: 13))) == .pipeline("door"))
        #expect(values(state)["face/count"] == "2" && values(state)["zone/desk/count"] == "1")
        let left =
            #"{"v":1,"type":"zone","seq":14,"run_id":"r","pipeline":"door","zone":"desk","state":"left","detector":"face","kind":"face","track":{"id":"1"},"frame":{"epoch":1,"seq":1,"pts_ns":0,"width":9,"height":9}}"#
        #expect(try state.take(event(left)) == .pipeline("door"))
        #expect(values(state)["zone/desk/occupancy"] == "OFF")
        for id in 1...2 { _ = try state.take(event(track("completed", id: id, seq: 14 + id))) }
        #expect(values(state)["face/count"] == "0" && values(state)["face/occupancy"] == "OFF")
    }

    /// A source that connects between `hello` and the state line is in neither of them.
    @Test func aSourceThatConnectsBeforeTheStateLineIsOnline() throws {
        var state = LiveState()
        #expect(try state.take(hello(#"{"name":"door","state":"connecting","detectors":[]}"#)) == .none)
        let head = #""v":1,"run_id":"r","pipeline":"door""#
        #expect(try state.take(event("{\(head),\(#""type":"source","seq":10,"state":"connected"}"#)")) == .none)
        let detector = #""type":"detector","seq":11,"detector":"face","kind":"face","operational":true}"#
        #expect(try state.take(event("{\(head),\(detector)")) == .none)
        #expect(try state.take(event(track("detected", id: 1, seq: 12))) == .none)
        let line = #"{"v":1,"type":"state","as_of":12,"tracks":[\#(track("", id: 1, seq: 0))]}"#
        #expect(try state.take(event(line)) == .all)
        #expect(values(state)["status"] == "online" && values(state)["face/count"] == "1")
    }

    /// The daemon has restarted, or the relay too: the worker has not said yet what it detects.
    @Test func aPipelineThatStartsKeepsItsKinds() throws {
        let topics = topics
        var state = LiveState { topics.kinds(of: $0, among: ["g/b/door/face/count", "g/b/door/zone/desk/count"]) }
        for seq in [10, 20] {
            let starting = #"{"name":"door","state":"connecting","detectors":[]}"#
            _ = try state.take(
                event(#"{"v":1,"type":"hello","run_id":"r","next_seq":\#(seq),"pipelines":[\#(starting)]}"#))
            #expect(try state.take(event(#"{"v":1,"type":"state","as_of":\#(seq),"tracks":[]}"#)) == .all)
            #expect(state.outline(of: "door")?.kinds == ["face"] && values(state)["face/count"] == "0")
        }
        try begin(&state, tracks: "")
        #expect(state.outline(of: "door")?.kinds == ["face"])
        let other = #"{"name":"door","state":"connected","detectors":[{"name":"barcode","kind":"barcode"}]}"#
        _ = try state.take(hello(other))
        #expect(state.outline(of: "door")?.kinds == ["barcode"])
    }

    @Test func aSourceThatIsLostMakesThePipelineOffline() throws {
        var state = LiveState()
        try begin(&state, tracks: "")
        let lost =
            #"{"v":1,"type":"source","seq":13,"run_id":"r","pipeline":"door","state":"lost","error":"no \"signal\""}"#
        #expect(try state.take(event(lost)) == .pipeline("door"))
        #expect(values(state)["status"] == "offline")
        #expect(values(state)["state"] == #"{"state":"lost","error":"no \"signal\""}"#)
    }

    /// A reload, a gap and an unknown pipeline take a new connection.
    @Test(arguments: [
        #"{"v":1,"type":"config","seq":13,"run_id":"r","revision":2,"changed":["porch"]}"#,
        #"{"v":1,"type":"gap","reason":"slow"}"#,
        #"{"v":1,"type":"source","seq":13,"run_id":"r","pipeline":"porch","state":"connected"}"#,
    ])
    func aChangeOfPipelinesMakesTheStateStale(line: String) throws {
        var state = LiveState()
        try begin(&state, tracks: "")
        #expect(try state.take(event(line)) == .stale)
    }

    @Test func pipelinesOutsideTheFilterHaveNoTopics() throws {
        var state = LiveState(pipelines: ["porch-*"])
        try begin(&state, tracks: "")
        #expect(state.names == [] && values(state) == [:])
        #expect(try state.take(event(track("detected", id: 2, seq: 13))) == .none)
    }
}
