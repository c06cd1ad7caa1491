// SPDX-License-Identifier: Apache-2.0
import EventLines
import Foundation
import GlimpseTesting
import Observations

@testable import EventLog

extension FuzzTarget {
    /// The bytes of a subscriber. Everything that it receives is lines of JSON of at most 64 KiB.
    static let subscriber = FuzzTarget(
        name: "subscriber",
        words: [
            "{\"subscribe\":{", "\"after\":", "\"run_id\":", "\"state\":", "\"ping\":", "\"pipelines\":", "\"kinds\":",
            "\"types\":", "\"labels\":", "\"min_confidence\":", "\"zones\":", "\"lines\":", "\"value_regex\":",
            "\"update_hz\":", "\"stages\":", "\"frames\":", "\"frame_hz\":", "\"explain\":", "\"passive\":", "null",
            "true", "\"face\"", "\"completed\"", "\\ud800", "\\u0000", "(?:", "{1,1000}", "[^a]", "\\\\p{L}", ".*",
            "(a|aa)+", "{\"", "[", "\n", "\r\n", "\u{2028}",
        ]
    ) { input in
        var moment = Moment(instant: .now, time: .epoch)
        var subscriber = Subscriber(
            server: "test", limits: .init(queue: 1 << 20, stall: .seconds(60), heartbeat: .seconds(15)), at: moment)
        subscriber.connected(at: moment)
        subscriber.received(input + [UInt8(ascii: "\n")])
        var turns = 0
        while subscriber.isAsking {
            var steps = 3000
            try requireLines(subscriber.nextAnswers(log, at: moment, steps: &steps))
            turns += 1
            try require(turns < 10_000, "the answers do not end")
        }
        for _ in 0..<4 {
            var steps = 3000
            try requireLines(subscriber.nextWrites(log, at: moment, steps: &steps))
        }
        moment = moment.advanced(by: .seconds(20))
        try requireLines(subscriber.timePassed(drained: 0, isWaiting: false, at: moment))
    }

    private static let log: EventLog = {
        var log = EventLog(runID: "run", limits: .init(events: 1000, bytes: 1 << 20))
        log.addPipeline(PipelineIdentity(name: "door"))
        var events = SampleEvents()
        for kind in FeatureKind.samples {
            for phase in [TrackPhase.detected, .update, .missing] {
                log.append(
                    events.track(phase, kind, id: 3, text: "https://example.org/aaaaaaaaaaaaaaaaaaaa!"), pipeline: 0)
            }
        }
        for line in events.zoneLines(id: 3) { log.append(line, pipeline: 0) }
        return log
    }()

    private static func requireLines(_ actions: [Subscriber.Action]) throws {
        for action in actions {
            guard case .send(let bytes) = action else { continue }
            try require(bytes.last == UInt8(ascii: "\n"))
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                try require(line.count <= 64 << 10)
                try require(try JSONSerialization.jsonObject(with: Data(line)) is [String: Any])
            }
        }
    }
}
