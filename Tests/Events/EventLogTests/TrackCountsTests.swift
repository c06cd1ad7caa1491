// SPDX-License-Identifier: Apache-2.0
import EventLines
@testable import EventLog
import GlimpseTesting
import Observations
import Testing

@Suite struct TrackCountsTests {
    private var events = SampleEvents()
    private var log = EventLog(limits: .init(events: 1000, bytes: 1 << 20))
    private let index: Int

    init() { index = log.addPipeline(PipelineIdentity(name: "door")) }

    private var counts: TrackCounts { log.ledger(ofPipeline: index).counts }

    private func place(_ kind: EncodedEvent.Kind, _ members: String, id: UInt64) -> EncodedEvent {
        let body = "\"type\":\"\(kind.name)\",\"pipeline\":\"door\",\(members)}"
        return EncodedEvent(kind: kind, detector: "face", feature: .face, track: id, body: Array(body.utf8))
    }

    private mutating func zone(_ state: String, _ zone: String = "porch", id: UInt64 = 1) {
        log.append(place(.zone, "\"zone\":\"\(zone)\",\"state\":\"\(state)\"", id: id), pipeline: index)
    }

    @Test mutating func liveAndCompletedTracksAreCountedByKind() {
        log.append(events.track(.detected, .face, id: 1), pipeline: index)
        log.append(events.track(.update, .face, id: 1), pipeline: index)
        log.append(events.track(.detected, .barcode, id: 2), pipeline: index)
        #expect(counts.live == [.face: 1, .barcode: 1])
        log.append(events.track(.completed(.gone), .face, id: 1), pipeline: index)
        #expect(counts.live == [.face: 0, .barcode: 1])
        #expect(counts.completed == [.init(kind: .face, reason: .gone): 1])
        log.completeTracks(ofPipeline: index, reason: .sourceLost)
        #expect(counts.live == [.face: 0, .barcode: 0])
        #expect(counts.completed[.init(kind: .barcode, reason: .sourceLost)] == 1)
    }

    @Test mutating func aZoneIsLeftOnceAlsoWithoutItsLine() {
        let presence = TrackCounts.Presence(zone: "porch", kind: .face)
        zone("entered")
        #expect(counts.occupancy.isEmpty, "the track is not live")
        log.append(events.track(.detected, .face, id: 1), pipeline: index)
        zone("entered")
        zone("entered")
        zone("dwelling")
        #expect(counts.occupancy == [presence: 1])
        zone("left")
        zone("left")
        #expect(counts.occupancy == [presence: 0])
        zone("entered")
        log.append(events.track(.completed(.gone), .face, id: 1), pipeline: index)
        #expect(counts.occupancy == [presence: 0])
    }

    @Test mutating func forgottenTracksLeaveTheirZones() {
        log.append(events.track(.detected, .face, id: 1), pipeline: index)
        zone("entered")
        _ = log.forget(ForgetSelection())
        #expect(counts.live == [.face: 0])
        #expect(counts.occupancy.values.allSatisfy { $0 == 0 })
    }

    @Test mutating func crossingsAreCountedByDirection() {
        for direction in ["in", "out", "in", "sideways"] {
            log.append(place(.line, "\"line\":\"gate\",\"direction\":\"\(direction)\"", id: 1), pipeline: index)
        }
        #expect(
            counts.crossings == [
                .init(line: "gate", direction: .in, kind: .face): 2,
                .init(line: "gate", direction: .out, kind: .face): 1,
            ])
    }

    @Test mutating func aBrokenWorkerCannotMakeMorePlacesOrKinds() {
        log.append(events.track(.detected, .face, id: 1), pipeline: index)
        for number in 0..<2000 {
            zone("entered", "z\(number)")
            log.append(place(.line, "\"line\":\"l\(number)\",\"direction\":\"in\"", id: 1), pipeline: index)
        }
        #expect(counts.occupancy.count == 1024 && counts.crossings.count == 1024)
        for number in 0..<100 {
            let kind = FeatureKind(rawValue: "kind_\(number)") ?? .face
            let body = "\"type\":\"detected\",\"pipeline\":\"door\",\"kind\":\"x\"}"
            log.append(
                EncodedEvent(
                    kind: .detected, detector: "d", feature: kind, track: UInt64(100 + number), body: Array(body.utf8)),
                pipeline: index)
        }
        #expect(counts.live.count == 40)
    }
}
