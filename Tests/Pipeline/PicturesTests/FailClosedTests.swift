// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Detectors
import Frames
import GlimpseTesting
import Glibc
import Observations
import PictureRelease
import Pipelines
import Synchronization
import Testing
import Tracking

/// Pictures beside a detector that is absent, fails, ends, hangs and is replaced, in a random order.
@Suite struct FailClosedTests {
    private enum Fault: CaseIterable {
        /// The detector throws for some frames.
        case failure
        /// The detector ends, as a program that was killed.
        case end
        /// The detector hangs until the fault is over.
        case hang
        /// The detector says that it is not operational.
        case rest
        /// The detector is replaced by one that cannot be made.
        case absence
    }

    private final class Script: Sendable {
        struct State {
            var fault: Fault?
            /// The frames that a detector has looked at.
            var seen: Set<UInt64> = []
        }

        let state = Mutex(State())

        var factory: ScriptedDetectorFactory {
            ScriptedDetectorFactory(
                "face",
                load: { [self] () throws(DetectorError) in
                    if state.withLock({ $0.fault }) == .absence { throw DetectorError("no model is installed") }
                },
                isOperational: { [self] in state.withLock { $0.fault } != .rest }
            ) { [self] frame throws(DetectorError) in
                while state.withLock({ $0.fault }) == .hang { usleep(1000) }
                switch state.withLock({ $0.fault }) {
                case .failure: throw DetectorError("cannot read the frame")
                case .end: throw DetectorError("was killed", endsDetector: true)
                default: break
                }
                state.withLock { _ = $0.seen.insert(frame.info.sequence) }
                return []
            }
        }
    }

    @Test(arguments: Fuzz.seeds(6)) func noPictureLeavesWhileTheDetectorThatBlurNeedsFails(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let script = Script()
        let release = PictureRelease(CoverRules(detectors: ["face": .all]))
        var lane = LaneConfiguration(detector: script.factory, tracking: TrackerConfiguration.face)
        lane.release = release
        let left = Mutex<Set<UInt64>>([])
        var detectors: MultiDetector? = MultiDetector([lane], delivery: .newest) { _, _ in nil }
        detectors?.waitUntilLoaded()
        let painter = FramePainter()
        var number = 0
        var faulty: Set<UInt64> = []
        func show(_ count: Int, isFaulty: Bool) {
            for _ in 0..<count {
                number += 1
                // A detector that ended is made again after some seconds of the stream.
                let frame = painter.frame(number, seconds: Double(number) * 2)
                if isFaulty { faulty.insert(UInt64(number)) }
                detectors?.receive(frame)
                let sequence = frame.info.sequence
                release.release(release.hold(frame)) { result in
                    if case .success = result { left.withLock { _ = $0.insert(sequence) } }
                }
                usleep(2000)
            }
        }
        for fault in Fault.allCases.shuffled(using: &random) {
            show(.random(in: 5...15, using: &random), isFaulty: false)
            script.state.withLock { $0.fault = fault }
            if fault == .absence || Bool.random(using: &random) { detectors?.change(lane, replacesDetector: true) }
            // Frames from before the fault may still be judged.
            let before = left.withLock { $0 }.union(script.state.withLock { $0.seen })
            show(.random(in: 5...40, using: &random), isFaulty: true)
            #expect(release.reason != nil || fault == .hang, "\(fault)")
            let new = left.withLock { $0 }.subtracting(before)
            #expect(new.intersection(faulty).isEmpty, "\(fault): \(new)")
            script.state.withLock { $0.fault = nil }
            // The frame that the detector hung at is judged after all, and it may take its time.
            if fault == .hang { faulty.removeAll() }
            detectors?.change(lane, replacesDetector: true)
        }
        // Pictures leave again.
        let seen = left.withLock { $0.count }
        let deadline = ContinuousClock.now + .seconds(60)
        while left.withLock({ $0.count }) == seen, ContinuousClock.now < deadline { show(1, isFaulty: false) }
        #expect(left.withLock { $0.count } > seen)
        detectors?.completeAll(.shutdown)
        detectors = nil
        #expect(left.withLock { $0 }.isSubset(of: script.state.withLock { $0.seen }))
    }
}
