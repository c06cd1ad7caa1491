// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations
import Pipelines
import Testing
import Tracking

@testable import Tapes

/// The effects of other settings, on tapes made by hand.
@Suite struct TrackComparisonTests {
    private let header = TapeHeader(clock: .file, configuration: "", lanes: ["face"])

    /// A face that is seen in these of 60 frames, at 10 a second.
    private func tape(_ seen: (Int) -> [Float]) -> [TapeRecord] {
        (0..<60).map { number in
            let time = Int64(number) * 100_000_000
            let frame = FrameInfo(
                sequence: UInt64(number + 1), presentationTime: time, time: Timestamp(nanoseconds: time), clock: .file,
                width: 640, height: 480)
            let detections = seen(number).map { x in
                Detection(
                    box: Box(x: x, y: 100, width: 60, height: 60), confidence: 0.8, content: .face(Face()))
            }
            let results = DetectionResults(detector: "face", frame: frame, detections: detections)
            return .lane(0, .results(results, withheld: []), time: .epoch)
        } + [.lane(0, .complete(.endOfStream), time: .epoch)]
    }

    private func plan(_ change: (inout TrackerConfiguration) -> Void = { _ in }) -> [LanePlan] {
        var tracking = TrackerConfiguration.face
        change(&tracking)
        return [LanePlan(detector: "face", tracking: tracking)]
    }

    private func differences(_ tape: [TapeRecord], _ a: [LanePlan], _ b: [LanePlan]) -> [TrackDifference] {
        var comparison = TrackComparison(header, a: a, b: b)
        for record in tape { comparison.take(record) }
        return comparison.differences
    }

    @Test func equalSettingsChangeNoTrack() {
        let differences = differences(tape { $0 < 40 ? [50, 300] : [50] }, plan(), plan())
        #expect(differences.count == 2)
        #expect(differences.filter { !$0.changes.isEmpty } == [])
    }

    /// An absence of two seconds gives one track with a long gap, and two with the default. The second track is only in
    /// B and names its predecessor.
    @Test func aShorterGapSplitsATrack() throws {
        let tape = tape { (20..<40).contains($0) ? [] : [50] }
        let differences = differences(tape, plan { $0.gap = .time(limit: 5) }, plan())
        #expect(differences.count == 2)
        guard case .both(let a, let b) = differences[0], case .onlyB(let rest, let kin) = differences[1] else {
            Issue.record("\(differences)")
            return
        }
        #expect(differences[0].changes == [.last, .frames, .reason])
        #expect((a.frames, b.frames) == (40, 20))
        #expect((a.reason, b.reason) == (.endOfStream, .gone))
        #expect(rest.detectedAt >= 4_000_000_000)
        #expect(kin?.id == a.id)
    }

    /// With more required hits, short tracks are not reported, and long tracks are reported later. Differences of ids
    /// do not count.
    @Test func moreRequiredHitsReportFewerTracks() throws {
        let tape = tape { number in (10..<14).contains(number) ? [50, 400] : number > 3 ? [50] : [] }
        let differences = differences(tape, plan(), plan { $0.hits = 6 })
        let kinds = differences.map { difference in
            switch difference {
            case .both: "both \(difference.changes.map(\.rawValue))"
            case .onlyA: "a"
            case .onlyB: "b"
            }
        }
        #expect(kinds == ["both [\"detected\"]", "a"])
    }

    @Test func aLowerRateOfTheReplayLeavesOutFrames() {
        let tape = tape { _ in [50] }
        var slow = plan()
        slow[0].maximumRate = 5
        let differences = differences(tape, plan(), slow)
        guard case .both(let a, let b) = differences.first else {
            Issue.record("\(differences)")
            return
        }
        #expect((a.frames, b.frames) == (60, 30))
    }
}
