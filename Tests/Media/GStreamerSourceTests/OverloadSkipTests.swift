// SPDX-License-Identifier: Apache-2.0
import Frames
import Glibc
import GlimpseTesting
import Settings
import Testing

@testable import GStreamerSource

/// Cameras that send more than the machine decodes.
@Suite(.serialized) struct OverloadSkipTests {
    @Test func nothingIsLeftOutOfAVideoThatIsShortlyBehind() {
        var skip = OverloadSkip()
        let leftOut = (0..<100).map { skip.leavesOut(isKey: $0 % 15 == 0, behind: OverloadSkip.mostBehind) }
        #expect(!leftOut.contains(true))
    }

    @Test func aVideoThatIsFarBehindGoesOnAtAKeyFrame() {
        var skip = OverloadSkip()
        let far = OverloadSkip.mostBehind + 1
        let script = [(true, 0), (false, far), (false, 0), (true, far)].map { skip.leavesOut(isKey: $0, behind: $1) }
        #expect(script == [false, true, true, true])
        let counts = [skip.take(), skip.take()]
        #expect(counts == [3, 0])
        let after = [(true, OverloadSkip.mostBehind), (false, 0)].map { skip.leavesOut(isKey: $0, behind: $1) }
        #expect(after == [false, false])
    }

    /// The frames that are held afterwards cannot be decoded without it.
    @Test func theKeyFrameAtWhichIdlingBeginsIsNeverLeftOut() {
        var skip = OverloadSkip()
        let far = OverloadSkip.mostBehind + 1
        let before = skip.leavesOut(isKey: false, behind: far)
        let begin = skip.leavesOut(isKey: true, behind: far, isIdle: true)
        #expect(before && !begin)
    }

    @Test func framesThatWereLeftOutCount() {
        var passed = PassedFrames()
        for (number, skipped) in [(1, 0), (2, 0), (31, 28), (32, 0)] as [(UInt64, UInt64)] {
            _ = passed.pass(.init(number: number, time: Int64(number), role: .ordinary, skipped: skipped))
        }
        let numbers = [1, 2, 31, 32].map { passed.leave($0).number }
        #expect(numbers == [1, 2, 31, 32])
    }

    @Test func afterIdlingEveryFrameIsDeliveredUntilTheVideoIsFarBehind() {
        var delivery = WholeDelivery()
        delivery.pass(behind: 0)
        #expect(!delivery.isOn, "it has not idled")
        delivery.begin()
        for behind in [0, WholeDelivery.mostBehind, 0] {
            delivery.pass(behind: behind)
            #expect(delivery.isOn)
        }
        delivery.pass(behind: WholeDelivery.mostBehind + 1)
        #expect(!delivery.isOn)
        delivery.pass(behind: 0)
        #expect(!delivery.isOn, "a slow detector would fall behind again")
        delivery.begin()
        #expect(delivery.isOn && WholeDelivery.mostBehind < OverloadSkip.mostBehind)
    }

    /// The reader takes 60 ms for each frame of a change, at 30 frames a second. The video has 3.5 s, so it is never
    /// further behind than `WholeDelivery` allows.
    @Test func aReaderThatIsSlowForASecondAfterIdlingLosesNoFrame() throws {
        let camera =
            "videotestsrc num-buffers=105 is-live=true ! video/x-raw,format=I420,width=320,height=240,framerate=30/1 "
            + "! openh264enc gop-size=15 ! h264parse ! video/x-h264,stream-format=byte-stream,alignment=au"
        let read = try IdleReader(IdleReader.settings(ring: .seconds(5)), camera: camera) { frame in
            let isChanged = frame.sequence >= 46
            if isChanged { usleep(60_000) }
            return isChanged
        }
        #expect(!read.isOverdue && read.arrived == 105)
        let changed = read.numbers(.past)
        #expect(changed == Array((changed.first ?? 0)...105) && changed.count > 50, "\(changed)")
    }

    /// The file is read much faster than it is decoded, so the queue in front of the decoder is soon far behind.
    @Test func aDecoderThatIsFarBehindDoublesNoNumberAndLeavesOutWholeGroups() throws {
        let scope = TestScope()
        let film = scope.path("film.mkv")
        try MediaMaker.run(
            "videotestsrc num-buffers=900 ! video/x-raw,format=I420,width=320,height=240,framerate=30/1 "
                + "! openh264enc gop-size=15 ! h264parse ! matroskamux ! filesink location=\(film)")
        let read = try IdleReader(
            IdleReader.settings(), camera: "filesrc location=\(film) ! matroskademux ! h264parse",
            changes: { _ in true })
        #expect(!read.isOverdue && read.arrived == 900 && read.numbers.last == 900)
        read.expectTrueNumbers(rate: 30)
        for (before, after) in zip(read.numbers, read.numbers.dropFirst()) where after != before + 1 {
            #expect(after > before, "\(before), then \(after)")
        }
    }
}
