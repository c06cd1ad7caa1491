@testable import ControlSocket
import GlimpseTesting
import Testing

private let commands =
    "expected one of status, reload, pause, resume, restart, focus, snapshot, search"

@Suite struct ControlRequestTests {
    @Test(
        arguments: [
            (#"{"status":true}"#, .status), (#"{"status":{}}"#, .status), (#"{"reload":true}"#, .reload(dryRun: false)),
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
            (#"{"snapshot":{"pipeline":"front"}}"#, .snapshot("front")), (#"{"search":{"any":["thing"]}}"#, .search),
        ] as [(String, ControlCommand)])
    func fulfilled(line: String, command: ControlCommand) {
        #expect(ControlRequest(line: line.utf8) == ControlRequest(id: nil, command: .success(command)))
    }

    @Test(
        arguments: [
            (#"{"status":true,"request":7}"#, .number(7)), (#"{"request":"a","status":true}"#, .text("a")),
            (#"{"request":-1,"dance":true}"#, .number(-1)),
        ] as [(String, ControlRequest.ID)])
    func theIDIsKept(line: String, id: ControlRequest.ID) {
        #expect(ControlRequest(line: line.utf8).id == id)
    }

    @Test(
        arguments: [
            ("", "invalid JSON"), ("{", "invalid JSON"), ("\u{0}", "invalid JSON"),
            ("[1]", "a request is a JSON object"),
            ("\"status\"", "a request is a JSON object"), ("{}", "no command: \(commands)"),
            (#"{"request":1}"#, "no command: \(commands)"),
            (#"{"dance":true}"#, "unknown command \"dance\": \(commands)"),
            (#"{"status":true,"reload":true}"#, "one command a line, not 2"),
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
                "focus.id: expected a track's id as events give it, such as \"12\""
            ),
            (
                #"{"focus":{"pipeline":"a","detector":"face","id":"-1"}}"#,
                "focus.id: expected a track's id as events give it, such as \"12\""
            ),
            (
                #"{"status":true,"request":[]}"#,
                "request: expected a whole number, or a string of at most 256 bytes"
            ),
        ] as [(String, String)])
    func whatIsWrongIsSaid(line: String, reason: String) {
        #expect(ControlRequest(line: line.utf8).command == .failure(.init(reason: reason)))
    }

    /// Any bytes have a request or a reason.
    @Test(arguments: Fuzz.seeds(20)) func noBytesAreTooMuch(seed: UInt64) {
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
