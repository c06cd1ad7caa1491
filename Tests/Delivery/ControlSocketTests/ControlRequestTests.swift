// SPDX-License-Identifier: Apache-2.0
@testable import ControlSocket
import DiskJournal
import GlimpseTesting
import Observations
import Search
import Testing

private let commands =
    "expected one of status, metrics, reload, pause, resume, restart, focus, snapshot, accept, forget, search, dismiss, retry, select, result, view, history, picture, clips, clip"

/// The query of a request below.
private let query: History.Query = {
    var query = History.Query()
    query.since = Timestamp(nanoseconds: 1_000_000_000)
    (query.pipelines, query.kinds, query.value, query.limit) = (["f*"], [.face], "*a*", 7)
    return query
}()

@Suite struct ControlRequestTests {
    @Test(
        arguments: [
            (#"{"status":true}"#, .status(layout: false)), (#"{"status":{"layout":true}}"#, .status(layout: true)),
            (#"{"reload":true}"#, .reload(dryRun: false)), (#"{"history":true}"#, .history(.init())),
            (
                #"{"history":{"since":"1970-01-01T00:00:01.000000000Z","pipeline":"f*","kind":"face","value":"*a*","limit":7}}"#,
                .history(query)
            ),
            (
                #"{"picture":{"run_id":"ab","seq":7}}"#,
                .picture(.entry(HistoryPlace(runID: "ab", sequence: 7)), viewer: nil)
            ),
            (#"{"picture":{"file":"/a/b.jpg"}}"#, .picture(.file("/a/b.jpg"), viewer: nil)),
            (
                #"{"picture":{"run_id":"ab","seq":7,"viewer":"anna"}}"#,
                .picture(.entry(HistoryPlace(runID: "ab", sequence: 7)), viewer: "anna")
            ),
            (#"{"reload":{"dry_run":true}}"#, .reload(dryRun: true)),
            (#"{"reload":{"dry_run":false}}"#, .reload(dryRun: false)),
            (#"{"pause":{"pipeline":"front"}}"#, .pause("front")),
            (#"{"resume":{"pipeline":"front"}}"#, .resume("front")),
            (#"{"restart":{"pipeline":"front"}}"#, .restart("front")),
            (
                #"{"focus":{"pipeline":"front","detector":"face","id":"12"}}"#,
                .focus(pipeline: "front", detector: "face", track: 12)
            ),
            (
                #"{"focus":{"pipeline":"front","detector":"face"}}"#,
                .focus(pipeline: "front", detector: "face", track: nil)
            ),
            (#"{"snapshot":{"pipeline":"front"}}"#, .snapshot("front", isCaptioned: false)),
            (#"{"snapshot":{"pipeline":"front","caption":true}}"#, .snapshot("front", isCaptioned: true)),
            (
                #"{"view":{"pipeline":"front"}}"#,
                .view(PictureView(pipeline: "front", width: 640, rate: 10, viewer: nil))
            ),
            (
                #"{"view":{"pipeline":"front","width":900,"rate":30,"viewer":"anna"}}"#,
                .view(PictureView(pipeline: "front", width: 900, rate: 30, viewer: "anna"))
            ),
            (
                #"{"view":{"pipeline":"front","mode":"h264"}}"#,
                .view(PictureView(pipeline: "front", isVideo: true, width: 640, rate: 10, viewer: nil))
            ),
            (#"{"clips":true}"#, .clips(ClipQuery(limit: 100))),
            (
                #"{"clips":{"pipeline":"front","since":"1970-01-01T00:00:01.000000000Z","limit":5}}"#,
                .clips(ClipQuery(pipeline: "front", since: Timestamp(nanoseconds: 1_000_000_000), limit: 5))
            ),
            (
                #"{"clip":{"pipeline":"front","name":"a","events":true}}"#,
                .clip(ClipFile(pipeline: "front", name: "a", isEvents: true), viewer: nil)
            ),
            (#"{"accept":{"file":"/s/front/a.jpg"}}"#, .accept("/s/front/a.jpg")),
            (#"{"search":{"pipeline":"a"}}"#, .search(.search, pipeline: "a")),
            (#"{"dismiss":{"pipeline":"a"}}"#, .search(.dismiss, pipeline: "a")),
            (#"{"retry":{"pipeline":"a"}}"#, .search(.retry, pipeline: "a")),
            (#"{"select":{"pipeline":"a","id":"12"}}"#, .search(.select(TrackID(12)), pipeline: "a")),
            (
                #"{"result":{"pipeline":"a","search":"1.1","results":[]}}"#,
                .search(.answer(query: "1.1", .results([])), pipeline: "a")
            ),
            (
                #"{"result":{"pipeline":"a","search":"1.1","results":[{"id":"x","title":"X","confidence":0.5,"picture":"/p","payload":{"b":[1,2.5,null,true,"/"],"a":{}}},{"id":"y"}]}}"#,
                .search(
                    .answer(
                        query: "1.1",
                        .results([
                            SearchResult(
                                id: "x", title: "X", confidence: 0.5, picture: "/p",
                                payload: #"{"a":{},"b":[1,2.5,null,true,"/"]}"#),
                            SearchResult(id: "y", title: "y", confidence: 1),
                        ])), pipeline: "a")
            ),
            (
                #"{"result":{"pipeline":"a","search":"1.1","error":"closed","retryable":false}}"#,
                .search(
                    .answer(query: "1.1", .failed(SearchFailure(.engine, retryable: false, message: "closed"))),
                    pipeline: "a")
            ),
        ] as [(String, ControlCommand)])
    func wellFormedControlRequestsAreDecoded(line: String, command: ControlCommand) {
        #expect(ControlRequest(line: line.utf8) == ControlRequest(id: nil, command: .success(command)))
    }

    @Test(
        arguments: [
            (#"{"status":true,"request":7}"#, .number(7)), (#"{"request":"a","status":true}"#, .text("a")),
            (#"{"request":-1,"dance":true}"#, .number(-1)),
        ] as [(String, ControlRequest.ID)])
    func theIDOfAControlRequestIsKept(line: String, id: ControlRequest.ID) {
        #expect(ControlRequest(line: line.utf8).id == id)
    }

    @Test(
        arguments: [
            ("", "invalid JSON"), ("{", "invalid JSON"), ("\u{0}", "invalid JSON"),
            ("[1]", "a request must be a JSON object"),
            ("\"status\"", "a request must be a JSON object"), ("{}", "no command: \(commands)"),
            (#"{"request":1}"#, "no command: \(commands)"),
            (#"{"dance":true}"#, "unknown command \"dance\": \(commands)"),
            (#"{"status":true,"reload":true}"#, "a line has one command, not 2"),
            (#"{"status":false}"#, "status: expected an object, or true"),
            (#"{"status":3}"#, "status: expected an object, or true"),
            (#"{"status":{"x":1}}"#, "unknown key status.x"), (#"{"pause":true}"#, "pause.pipeline: expected a name"),
            (#"{"pause":{"pipeline":""}}"#, "pause.pipeline: expected a name"),
            (#"{"pause":{"pipeline":3}}"#, "pause.pipeline: expected a name"),
            (#"{"pause":{"pipeline":"a","force":true}}"#, "unknown key pause.force"),
            (#"{"reload":{"dry_run":1}}"#, "reload.dry_run: expected true or false"),
            (#"{"focus":{"pipeline":"a"}}"#, "focus.detector: expected a name"),
            (
                #"{"focus":{"pipeline":"a","detector":"face","id":12}}"#,
                "focus.id: expected a track's id from its events, such as \"12\""
            ),
            (
                #"{"focus":{"pipeline":"a","detector":"face","id":"-1"}}"#,
                "focus.id: expected a track's id from its events, such as \"12\""
            ),
            (#"{"search":true}"#, "search.pipeline: expected a name"),
            (#"{"dismiss":{"pipeline":"a","x":1}}"#, "unknown key dismiss.x"),
            (
                #"{"select":{"pipeline":"a"}}"#,
                "select.id: expected a track's id from its events, such as \"12\""
            ),
            (#"{"result":{"pipeline":"a","results":[]}}"#, "result.search: expected a name"),
            (
                #"{"result":{"pipeline":"a","search":"1"}}"#, "result.results: expected a list of objects with an id"
            ),
            (
                #"{"result":{"pipeline":"a","search":"1","results":[{"title":"x"}]}}"#,
                "result.results: expected a list of objects with an id"
            ),
            (
                #"{"result":{"pipeline":"a","search":"1","results":[{"id":"x","confidence":2}]}}"#,
                "result.results: expected a confidence from 0 to 1"
            ),
            (
                #"{"result":{"pipeline":"a","search":"1","results":[],"error":"x"}}"#,
                "result.results: not allowed together with error"
            ),
            (#"{"result":{"pipeline":"a","search":"1","results":[],"y":2}}"#, "unknown key result.y"),
            (
                #"{"status":true,"request":[]}"#,
                "request: expected a whole number, or a string of at most 256 bytes"
            ),
        ] as [(String, String)])
    func anErrorNamesTheFaultOfAControlRequest(line: String, reason: String) {
        #expect(ControlRequest(line: line.utf8).command == .failure(.init(reason: reason)))
    }

    /// Any bytes give a request or an error.
    @Test(arguments: Fuzz.seeds(20)) func anyBytesAreAControlRequestOrAnError(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let good = Array(#"{"focus":{"pipeline":"front","detector":"face","id":"12"},"request":"a\u00e4"}"#.utf8)
        for _ in 0..<200 {
            var line = good
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<line.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: line[index] = UInt8.random(in: 0...255, using: &random)
                case 1: line.remove(at: index)
                default: line.insert(line.randomElement(using: &random) ?? 0, at: index)
                }
            }
            guard case .failure(let invalid) = ControlRequest(line: line).command else { continue }
            #expect(!invalid.reason.isEmpty)
        }
        let nested = Array(repeating: UInt8(ascii: "["), count: 60_000)
        #expect(ControlRequest(line: nested).command == .failure(.init(reason: "invalid JSON")))
    }
}
