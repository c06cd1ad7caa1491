// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
@testable import EventLog
@testable import JSONLines
import Observations
import Testing

@Suite struct SubscriberRequestTests {
    @Test(arguments: [
        (#"{}"#, true), (#"{"pipelines":["d*"]}"#, true), (#"{"pipelines":["porch"]}"#, false),
        (#"{"kinds":["barcode","scene"]}"#, true), (#"{"kinds":["scene"]}"#, false),
        (#"{"types":["completed"]}"#, true), (#"{"types":["source","detector"]}"#, false),
        (#"{"labels":["cat"]}"#, true),
    ])
    func aFilterDecidesWhichPipelinesTracksItWants(filter: String, wants: Bool) throws {
        let request = try SubscriberRequest(line: Array(#"{"subscribe":\#(filter)}"#.utf8))
        let log = SubscriberBench().log
        #expect(request.filter?.wantsTracks(ofPipeline: 0, kinds: [.face, .barcode], log) == wants)
    }

    @Test func everySubscriberRequestIsRead() throws {
        let request = try SubscriberRequest(
            line: Array(
                #"{"subscribe":{"pipelines":["front-*"],"kinds":["barcode"],"types":["detected","completed"]},"after":1042,"run_id":"x","state":true,"ping":"é"}"#
                    .utf8))
        #expect(
            request.filter
                == EventFilter(pipelines: [NamePattern("front-*")], kinds: [.barcode], types: [.detected, .completed]))
        let conditions = try SubscriberRequest(
            line: Array(
                #"{"subscribe":{"labels":["cup"],"min_confidence":1,"value_regex":"^a","update_hz":2.5,"stages":true,"passive":true}}"#
                    .utf8))
        var expected = EventFilter(
            track: TrackCondition(labels: ["cup"], minimumConfidence: 1, value: try ValuePattern("^a")),
            updateRate: 2.5)
        expected.stages = true
        expected.isPassive = true
        #expect(conditions.filter == expected)
        #expect(request.resume == .init(after: 1042, runID: "x"))
        #expect(request.state && request.ping == "é")
        #expect(try SubscriberRequest(line: Array(#"{"subscribe":{}}"#.utf8)).filter?.isEverything == true)
    }

    @Test(arguments: [
        ("nonsense", "invalid JSON"), ("", "invalid JSON"), ("{", "invalid JSON"), ("{\"state\":true", "invalid JSON"),
        (String(repeating: "[", count: 60_000), "invalid JSON"),
        ("[1]", "a request must be a JSON object"), ("7", "a request must be a JSON object"),
        ("{}", "no command: expected subscribe, after, state or ping"),
        (#"{"stop":1}"#, #"unknown command "stop": expected subscribe, after, state or ping"#),
        (#"{"run_id":"x"}"#, "run_id requires after"),
        (#"{"after":"5"}"#, "after: expected a number from 0"), (#"{"after":1.5}"#, "after: expected a number from 0"),
        (#"{"after":-1}"#, "after: expected a number from 0"), (#"{"after":null}"#, "after: expected a number from 0"),
        (#"{"state":1}"#, "state: expected true or false"), (#"{"ping":{}}"#, "ping: expected a string"),
        (#"{"subscribe":[]}"#, "subscribe: expected an object"),
        (#"{"subscribe":{"kinds":"face"}}"#, "subscribe.kinds: expected an array of strings"),
        (#"{"subscribe":{"kinds":["face",3]}}"#, "subscribe.kinds.1: expected a string"),
        (#"{"subscribe":{"kinds":["Cat"]}}"#, #"unknown kind "Cat"; the filter is unchanged"#),
        (#"{"subscribe":{"types":["hello"]}}"#, #"unknown type "hello"; the filter is unchanged"#),
        (#"{"subscribe":{"kind":["face"]}}"#, "unknown key subscribe.kind; the filter is unchanged"),
        (
            #"{"subscribe":{"pipelines":["\#(String(repeating: "a", count: 65))"]}}"#,
            "subscribe.pipelines: expected at most 256 names of at most 64 bytes; the filter is unchanged"
        ),
        (
            #"{"subscribe":{"pipelines":[\#(Array(repeating: "\"a\"", count: 257).joined(separator: ","))]}}"#,
            "subscribe.pipelines: expected at most 256 names of at most 64 bytes; the filter is unchanged"
        ),
        (
            #"{"subscribe":{"zones":"a"}}"#,
            "subscribe.zones: expected an array of strings"
        ),
        (#"{"subscribe":{"min_confidence":"high"}}"#, "subscribe.min_confidence: expected a number"),
        (
            #"{"subscribe":{"min_confidence":1.5}}"#,
            "subscribe.min_confidence: expected a number from 0 to 1; the filter is unchanged"
        ),
        (#"{"subscribe":{"update_hz":0}}"#, "subscribe.update_hz: expected a number over 0; the filter is unchanged"),
        (#"{"subscribe":{"labels":"cup"}}"#, "subscribe.labels: expected an array of strings"),
        (#"{"subscribe":{"value_regex":7}}"#, "subscribe.value_regex: expected a string"),
        (
            #"{"subscribe":{"value_regex":"(a)\\1"}}"#,
            "subscribe.value_regex must not have back-references: their cost has no bound; the filter is unchanged"
        ),
        (#"{"subscribe":{"stages":1}}"#, "subscribe.stages: expected true or false"),
    ])
    func anErrorNamesTheFaultOfASubscriberRequest(line: String, reason: String) {
        #expect(throws: SubscriberRequest.Invalid(reason: reason)) { try SubscriberRequest(line: Array(line.utf8)) }
    }

    @Test(arguments: [
        ("door", "door", true), ("door", "doors", false), ("front-*", "front-door", true), ("front-*", "front", false),
        ("*", "", true), ("*-door", "front-door", true), ("*o*r", "front-door", true), ("?oor", "door", true),
        ("?oor", "oor", false), ("", "", true), ("", "x", false), ("a*b*c", "aXbYbZc", true),
        ("a*b*c", "aXbYbZ", false),
        (String(repeating: "*a", count: 50), String(repeating: "a", count: 49), false),
    ])
    func patternsOfSubscriberRequestsMatchNames(pattern: String, name: String, matches: Bool) {
        #expect(NamePattern(pattern).matches(name) == matches)
    }

    @Test func subscriberLinesAreCutAndBounded() {
        var lines = LineSplitter(limit: 5)
        #expect(lines.append(Array("ab".utf8)) == [])
        #expect(
            lines.append(Array("c\n\n12345\nx".utf8)) == [
                .line(Array("abc".utf8)), .line([]), .line(Array("12345".utf8)),
            ])
        #expect(lines.append(Array("23456".utf8)) == [.tooLong(Array("x23456".utf8))])
        #expect(lines.append(Array(repeating: 0x61, count: 13)) == [.goesOn, .goesOn])
        #expect(lines.append([0x61]) == [] && lines.append([0x61]) == [.goesOn])
        #expect(lines.append(Array("zz\nok\nrest".utf8)) == [.line(Array("ok".utf8))])
        #expect(lines.finish() == Array("rest".utf8))
        #expect(lines.finish() == nil)
    }
}
