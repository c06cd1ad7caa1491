import Frames
import GStreamerSource
import GlimpseTesting
import Observations
import Settings
import Testing

/// Live sources: the newest frame, and drops that can be counted.
@Suite(.serialized) struct LiveTests {
    @Test func aSlowReaderSeesJumpsAndFreshFrames() {
        let settings = SourceSettings(kind: .test(pattern: "ball"), width: 320, height: 240, fps: FrameRate(50))
        let source = GStreamerSource(settings)
        var ages: [Int64] = []
        var numbers: [UInt64] = []
        do { try source.start() } catch { Issue.record(error) }
        let deadline = ContinuousClock.now + .seconds(3)
        while ContinuousClock.now < deadline {
            guard case .frame(let frame) = source.next(timeout: .milliseconds(100)) else { continue }
            ages.append(Timestamp.now.nanoseconds - frame.info.time.nanoseconds)
            numbers.append(frame.info.sequence)
            wait(.milliseconds(150))
        }
        source.stop()
        #expect(numbers.count > 8)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 > $0 })
        let received = Double(numbers.last ?? 0) / Double(numbers.count)
        #expect(received > 3, "\(numbers)")
        // One frame waits in the sink for at most one interval of 20 ms; the rest is this machine's load.
        #expect(ages.sorted()[ages.count / 2] < 60_000_000, "\(ages)")
        #expect(ages.allSatisfy { $0 >= 0 })
    }

    @Test func timeIsThatOfCapture() {
        let read = FrameReader(SourceSettings(kind: .test(pattern: "black"), fps: FrameRate(25)), most: 5)
        let now = Timestamp.now
        #expect(read.infos.first?.presentationTime == 0)
        for info in read.infos {
            #expect(info.clock == .arrival)
            #expect(abs(now.nanoseconds - info.time.nanoseconds) < 5_000_000_000)
        }
    }
}
