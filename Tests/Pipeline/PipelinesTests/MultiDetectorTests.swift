// SPDX-License-Identifier: Apache-2.0
import Detectors
import Dispatch
import Frames
import GlimpseTesting
import Observations
import Pipelines
import Synchronization
import Testing
import Tracking

@Suite struct MultiDetectorTests {
    private let painter = FramePainter()

    /// Frames ten times a second.
    private func frame(_ number: Int, _ painter: FramePainter? = nil) -> Frame {
        (painter ?? self.painter).frame(number, seconds: Double(number) / 10)
    }

    @Test func thePolicyEverySendsEveryFrameThroughEveryLaneInOrder() {
        let delegate = RecordingDelegate()
        let detectors = MultiDetector(
            [.init(.init("face") { _ in [.face] }), .init(.init("barcode") { _ in [] })], delivery: .every,
            delegate: delegate)
        for number in 1...50 { detectors.receive(frame(number)) }
        detectors.completeAll(.endOfStream)
        #expect(delegate.record.finished == ["face": Array(1...50), "barcode": Array(1...50)])
        #expect(delegate.record.calls == ["face D1", "face C1 end_of_stream"])
        #expect(
            detectors.metrics.map { [$0.detector, "\($0[.processed])", $0.losses ?? "no losses"] } == [
                ["face", "50", "no losses"], ["barcode", "50", "no losses"],
            ])
    }

    @Test func aDetectorThatIsNotOperationalRunsAgainOnceItIs() {
        let works = Mutex(true)
        let asked = Mutex(0)
        let delegate = RecordingDelegate()
        let detectors = MultiDetector(
            [
                .init(
                    .init("face", isOperational: { works.withLock(\.self) }) { _ in
                        asked.withLock { $0 += 1 }
                        return [.face]
                    })
            ], delivery: .every, delegate: delegate)
        for number in 1...9 {
            works.withLock { $0 = !(4...6).contains(number) }
            detectors.receive(frame(number))
        }
        detectors.completeAll(.endOfStream)
        #expect(asked.withLock(\.self) == 6)
        #expect(delegate.record.statuses.map(\.isOperational) == [true, false, true])
        #expect(delegate.record.statuses.map(\.frame?.sequence) == [nil, 4, 7])
        #expect(delegate.record.calls == ["face D1", "face M1", "face M1", "face M1", "face C1 end_of_stream"])
    }

    @Test func aSlowLaneDelaysNoOtherLane() {
        let (gate, held, passed) = (Gate(), Gate(), DispatchSemaphore(value: 0))
        let delegate = RecordingDelegate { if $0 == "fast" { passed.signal() } }
        let detectors = MultiDetector(
            [
                .init(
                    .init("slow") { _ in
                        held.open()
                        gate.wait()
                        return []
                    }), .init(.init("fast") { _ in [.face] }),
            ], delivery: .newest, delegate: delegate)
        detectors.receive(frame(1))
        #expect(held.wait())
        // While the slow lane processes its first frame, the fast lane processes all frames.
        for number in 2...20 {
            #expect(passed.isSignalledInTime())
            detectors.receive(frame(number))
        }
        #expect(passed.isSignalledInTime())
        #expect(delegate.record.finished == ["fast": Array(1...20)])
        gate.open()
        detectors.completeAll(.shutdown)
        // The slow lane processes its first frame and perhaps the newest. The other frames are dropped and counted.
        let slow = detectors.metrics[0]
        #expect(slow[.processed] + slow[.busyDrops] == 20)
        #expect(slow[.busyDrops] >= 18)
        #expect(detectors.metrics[1][.processed] == 20 && detectors.metrics[1].losses == nil)
        #expect(slow.losses == "slow: dropped \(slow[.busyDrops]) of 20 frames")
    }

    @Test func aDetectorErrorLosesOneFrameOfOneLane() {
        let delegate = RecordingDelegate()
        let detectors = MultiDetector(
            [
                .init(
                    .init("face") { frame throws(DetectorError) in
                        if frame.info.sequence == 3 { throw DetectorError("odd picture") }
                        return [.face]
                    }), .init(.init("barcode") { _ in [] }),
            ], delivery: .every, delegate: delegate)
        for number in 1...5 { detectors.receive(frame(number)) }
        detectors.completeAll(.endOfStream)
        #expect(delegate.record.finished == ["face": [1, 2, 4, 5], "barcode": [1, 2, 3, 4, 5]])
        // The track is unchanged. A frame without a result does not count as an absence.
        #expect(delegate.record.calls == ["face D1", "face C1 end_of_stream"])
        #expect(delegate.record.failures.map(\.reason) == ["odd picture"])
        #expect(delegate.record.failures.first?.frame.sequence == 3)
        #expect(delegate.record.statuses.map(\.isOperational) == [true, true])
        #expect(detectors.metrics[0][.failures] == 1)
        #expect(detectors.metrics[0].losses == "face: failed on 1 of 5 frames")
    }

    @Test func fiveDetectorErrorsInARowAreReportedOnceAndRetried() {
        let delegate = RecordingDelegate()
        let isBroken = Atomic(true)
        let detectors = MultiDetector(
            [
                .init(
                    .init("face") { _ throws(DetectorError) in
                        if isBroken.load(ordering: .relaxed) { throw DetectorError("device lost") }
                        return [.face]
                    }), .init(.init("barcode") { _ in [.face] }),
            ], delivery: .every, delegate: delegate)
        func statuses() -> [Bool] { delegate.record.statuses.filter { $0.detector == "face" }.map(\.isOperational) }
        // At 10 frames a second, five frames fail. Then the detector pauses for 30 s, and five more frames fail.
        for number in 1...5 { detectors.receive(frame(number)) }
        #expect(statuses() == [true, false])
        #expect(delegate.record.statuses.last?.reason == "device lost")
        #expect(delegate.record.statuses.last?.frame?.sequence == 5)
        for number in 6...304 { detectors.receive(frame(number)) }
        #expect(statuses() == [true, false])
        // The frames of the paused detector continue without detections.
        #expect(delegate.record.finished["face"] == Array(6...304))
        isBroken.store(false, ordering: .relaxed)
        for number in 305...310 { detectors.receive(frame(number)) }
        #expect(statuses() == [true, false, true])
        #expect(delegate.record.calls.contains("face D1"))
        #expect(delegate.record.finished["barcode"] == Array(1...310))
        // Failures are reported at most once a second, and all are counted.
        #expect(delegate.record.failures.first?.total == 1)
        #expect(detectors.metrics[0][.failures] == 5)
        detectors.completeAll(.shutdown)
    }

    @Test func aDetectorThatCannotLoadDoesNotStopTheOthers() {
        let delegate = RecordingDelegate()
        let attempts = Atomic(0)
        let detectors = MultiDetector(
            [
                .init(
                    .init("object") { () throws(DetectorError) in
                        attempts.add(1, ordering: .relaxed)
                        throw DetectorError("no model: run scripts/setup.sh")
                    } script: { _ in
                        [.face]
                    }), .init(.init("face") { _ in [.face] }),
            ], delivery: .every, delegate: delegate)
        detectors.waitUntilLoaded()
        let broken = delegate.record.statuses.filter { !$0.isOperational }
        #expect(broken.map(\.reason) == ["no model: run scripts/setup.sh"])
        #expect(broken.first?.frame == nil)
        for number in 1...650 { detectors.receive(frame(number)) }
        detectors.completeAll(.endOfStream)
        #expect(delegate.record.calls == ["face D1", "face C1 end_of_stream"])
        // The detector is loaded at the start, after 30 s and after 60 s of the stream. The error is reported once.
        #expect(attempts.load(ordering: .relaxed) == 3)
        #expect(delegate.record.statuses.count == 2)
    }

    @Test func completeAllWaitsForTheFramesOfEachLane() {
        let (held, gate) = (Gate(), Gate())
        let delegate = RecordingDelegate()
        let detectors = MultiDetector(
            [
                .init(
                    .init("face") { _ in
                        held.open()
                        gate.wait()
                        return [.face]
                    })
            ], delivery: .newest, delegate: delegate)
        detectors.receive(frame(1))
        #expect(held.wait())
        gate.open()
        detectors.completeAll(.shutdown)
        #expect(delegate.record.calls == ["face D1", "face C1 shutdown"])
    }

    @Test func tracksEndWithTheDetectorWithoutARequest() {
        let delegate = RecordingDelegate()
        var detectors: MultiDetector? = MultiDetector(
            [.init(.init("face") { _ in [.face] })], delivery: .every, delegate: delegate)
        detectors?.receive(frame(1))
        detectors = nil
        let isDone = waits { delegate.record.calls == ["face D1", "face C1 shutdown"] }
        #expect(isDone)
    }

    @Test func framesAreReleasedAfterAnyEnd() {
        let released = Atomic(0)
        let painter = FramePainter { released.add(1, ordering: .relaxed) }
        var detectors: MultiDetector? = MultiDetector(
            [
                .init(
                    .init("face") { frame throws(DetectorError) in
                        if frame.info.sequence % 2 == 0 { throw DetectorError("even") }
                        return []
                    }), .init(.init("barcode") { _ in [] }),
            ], delivery: .every, delegate: RecordingDelegate())
        for number in 1...20 { detectors?.receive(frame(number, painter)) }
        detectors = nil
        let isDone = waits { released.load(ordering: .relaxed) == 20 }
        #expect(isDone)
    }

    @Test func aLaneMayRunAtALowerRate() {
        let delegate = RecordingDelegate()
        let detectors = MultiDetector(
            [.init(.init("face") { _ in [] }, maximumRate: 2), .init(.init("barcode") { _ in [] })], delivery: .every,
            delegate: delegate)
        for number in 1...20 { detectors.receive(frame(number)) }
        detectors.completeAll(.endOfStream)
        #expect(delegate.record.finished["face"] == [1, 6, 11, 16])
        #expect(delegate.record.finished["barcode"]?.count == 20)
    }

    @Test func theFocusReachesTheDetectorAndIsCleared() {
        let boxes = Mutex<[Box?]>([])
        let detectors = MultiDetector(
            [
                .init(
                    .init("face", focusChanged: { box in boxes.withLock { $0.append(box) } }) { frame in
                        frame.info.sequence <= 3 ? [.face] : []
                    }, focus: .largest)
            ], delivery: .every, delegate: RecordingDelegate())
        for number in 1...20 { detectors.receive(frame(number)) }
        detectors.completeAll(.endOfStream)
        let told = boxes.withLock(\.self)
        #expect(told.first == Detection.face.box)
        #expect(told.last == .some(nil))
    }

    /// Checks repeatedly until the condition holds, or until a deadline that only a hang exceeds.
    private func waits(for fact: () -> Bool) -> Bool {
        for _ in 0..<3000 where !fact() { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(10)) }
        return fact()
    }
}
