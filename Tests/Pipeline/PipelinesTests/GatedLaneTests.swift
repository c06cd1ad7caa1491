// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import GlimpseTesting
import Observations
import Pipelines
import Synchronization
import Testing
import Tracking

/// A lane whose detector skips frames without news.
@Suite struct GatedLaneTests {
    /// A detector that finds the bright square which `painter` painted, and counts its runs.
    private func run(
        frames: Int, gated: Bool, region: NormalizedRegion? = .full, square: (Int) -> Float?
    ) -> (runs: [UInt64], lives: [String]) {
        let runs = Mutex<[UInt64]>([])
        let delegate = RecordingDelegate()
        var lane = LaneConfiguration(
            detector: ScriptedDetectorFactory("face", region: region) { frame in
                runs.withLock { $0.append(frame.info.sequence) }
                let row = frame.withPlanes { planes in
                    (0..<frame.width).map { planes[0].base[100 * planes[0].stride + $0] }
                }
                guard let left = row.firstIndex(of: 255) else { return [] }
                return [
                    Detection(
                        box: Box(x: Float(left), y: 90, width: 40, height: 40), confidence: 0.8, content: .face(Face()))
                ]
            }, tracking: .face)
        lane.gate = gated ? GateConfiguration(refresh: 1) : nil
        let detectors = MultiDetector([lane], delivery: .every, delegate: delegate)
        for number in 1...frames {
            var painter = FramePainter(width: 320, height: 240)
            if let left = square(number) { painter.fill(Box(x: left, y: 90, width: 40, height: 40), 255) }
            detectors.receive(painter.frame(number, seconds: Double(number) / 10))
        }
        detectors.completeAll(.endOfStream)
        #expect(detectors.metrics[0][.unchanged] == UInt64(frames - runs.withLock(\.count)))
        #expect(delegate.record.finished["face"] == (1...UInt64(frames)).map(\.self))
        return (runs.withLock(\.self), delegate.record.calls)
    }

    /// The square is absent, then visible, then moving, then at rest, then absent.
    private func visit(_ number: Int) -> Float? {
        switch number {
        case 31...60: 20
        case 61...80: 20 + Float(number - 60) * 10
        case 81...110: 220
        default: nil
        }
    }

    @Test func aGatedLaneHasTheLivesOfOneThatRunsOnEveryFrame() {
        let (always, gated) = (
            run(frames: 160, gated: false, square: visit), run(frames: 160, gated: true, square: visit)
        )
        #expect(gated.lives == always.lives && !gated.lives.isEmpty)
        #expect(always.runs.count == 160)
        #expect(gated.runs.count < 80, "\(gated.runs)")
        // The detector runs in the frame that shows the news.
        #expect(Set(gated.runs).isSuperset(of: [31, 111].map(UInt64.init) + (61...80).map(UInt64.init)))
    }

    @Test func theGateNeverSkipsFramesOfADetectorThatNeedsAll() {
        #expect(run(frames: 30, gated: true, region: nil, square: { _ in 20 }).runs.count == 30)
    }

    @Test func framesWithoutChangeAreLookedAtOnceInEachRefresh() {
        #expect(
            run(frames: 100, gated: true, square: { _ in nil }).runs
                == stride(from: 1, through: 91, by: 10).map(UInt64.init))
    }
}
