// SPDX-License-Identifier: Apache-2.0
import Frames
import GStreamerSource
import GlimpseTesting
import Observations
import Settings
import Testing

/// Live sources: the newest frame, and drops that can be counted.
@Suite(.serialized) struct LiveTests {
    @Test func aSlowReaderOfALiveSourceSeesJumpsAndFreshFrames() {
        let settings = SourceSettings(kind: .test(pattern: "ball"), width: 320, height: 240, fps: FrameRate(50))
        let source = GStreamerSource(settings)
        var numbers: [UInt64] = []
        /// Each frame was captured after the reader took the frame before. A queue of frames would give older frames.
        var fresh = 0
        var taken = Timestamp.now
        do { try source.start() } catch { Issue.record(error) }
        let deadline = ContinuousClock.now + patience
        while numbers.count < 20, ContinuousClock.now < deadline {
            guard case .frame(let frame) = source.next(timeout: .milliseconds(100)) else { continue }
            if frame.info.time > taken { fresh += 1 }
            numbers.append(frame.info.sequence)
            taken = .now
            #expect(frame.info.time <= taken)
            wait(.milliseconds(150))
        }
        source.stop()
        #expect(numbers.count == 20)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 > $0 })
        #expect(zip(numbers, numbers.dropFirst()).count { $1 > $0 + 1 } > 10, "\(numbers)")
        #expect(fresh > 10, "\(numbers)")
    }

    @Test func framesOfALiveSourceHaveTheTimeOfCapture() {
        let read = FrameReader(SourceSettings(kind: .test(pattern: "black"), fps: FrameRate(25)), most: 5)
        let now = Timestamp.now
        #expect(read.infos.first?.presentationTime == 0)
        for info in read.infos {
            #expect(info.clock == .arrival)
            #expect(abs(now.nanoseconds - info.time.nanoseconds) < 5_000_000_000)
        }
    }
}
