// SPDX-License-Identifier: Apache-2.0
import Frames
import GlimpseTesting
import Observations
import Settings
import Testing

@testable import GStreamerSource

/// Cameras that idle and send something unusual: every frame is decoded, a remark says why, and no number is missed or
/// doubled.
@Suite(.serialized) struct OddCameraTests {
    private static let size = "format=I420,width=320,height=240"
    private static let raw = "videotestsrc num-buffers=60 is-live=true ! video/x-raw,\(size),framerate=30/1"
    private static let h264 = "h264parse ! video/x-h264,stream-format=byte-stream,alignment=au"

    /// A reader that always lets the source idle.
    private func read(_ camera: String, bytes: Int = 16 << 20) throws -> IdleReader {
        let read = try IdleReader(IdleReader.settings(ring: .seconds(5), bytes: bytes), camera: camera)
        #expect(!read.isOverdue)
        let numbers = read.numbers(.ordinary, .past, .sample)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy(<), "\(numbers)")
        return read
    }

    private func expectTrueNumbers(_ read: IdleReader, sourceLocation: SourceLocation = #_sourceLocation) {
        read.expectTrueNumbers(rate: 30, sourceLocation: sourceLocation)
        #expect(read.numbers.last == 60 && read.arrived == 60, sourceLocation: sourceLocation)
    }

    @Test func aCameraThatIdlesKeepsItsNumbers() throws {
        let read = try read("\(Self.raw) ! openh264enc gop-size=15 ! \(Self.h264)")
        expectTrueNumbers(read)
        #expect(read.obstacle == nil && [[31, 46], [46]].contains(read.numbers(.glance)), "\(read.numbers(.glance))")
        // The frames after the last key frame come at the end of the stream.
        #expect(read.numbers(.past) == Array(47...60), "\(read.numbers(.past))")
    }

    @Test func aCameraWithFramesOutOfOrderIsDecodedWhole() throws {
        let encoder = "x265enc speed-preset=ultrafast key-int-max=15 option-string=bframes=2:b-adapt=0"
        let read = try read(
            "\(Self.raw) ! \(encoder) ! h265parse ! video/x-h265,stream-format=byte-stream,alignment=au")
        expectTrueNumbers(read)
        #expect(read.obstacle == "its frames are not in the order of their times")
        #expect(read.numbers(.glance) == [])
    }

    @Test func aCameraWhoseTimesRepeatIsDecodedWhole() throws {
        let half = "videotestsrc num-buffers=30 is-live=true ! video/x-raw,\(Self.size),framerate=15/1"
        // Each picture comes twice. Two live sources would differ by the time at which each of them started.
        let read = try read("\(half) ! jpegenc ! tee name=t ! queue ! f. t. ! queue ! f. funnel name=f ! image/jpeg")
        #expect(read.arrived == 60 && read.numbers.last == 60)
        // The parser takes the time stamp of a repetition away, if nothing came between the two.
        let reasons = ["a frame has no time stamp", "its frames are not in the order of their times"]
        #expect(reasons.contains(read.obstacle ?? ""), "\(read.obstacle ?? "")")
    }

    @Test func aCameraWhoseTimeRunsBackwardsIsDecodedWhole() throws {
        let half = "videotestsrc num-buffers=30 is-live=true ! video/x-raw,\(Self.size),framerate=30/1 ! jpegenc"
        let read = try read("\(half) ! c. \(half) ! c. concat name=c adjust-base=false ! image/jpeg")
        #expect(read.arrived == 60 && read.numbers.last == 60)
        #expect(read.obstacle == "its frames are not in the order of their times")
    }

    @Test func aCameraWhoseGroupExceedsTheRingIsDecodedWhole() throws {
        let snow = "videotestsrc pattern=snow num-buffers=60 is-live=true ! video/x-raw,\(Self.size),framerate=30/1"
        let read = try read("\(snow) ! openh264enc gop-size=30 bitrate=2000000 ! \(Self.h264)", bytes: 10_000)
        expectTrueNumbers(read)
        #expect(read.obstacle == "its key frames are more than 5 s apart, or source.ring_bytes is too small")
    }

    @Test func aCameraThatChangesItsEncodingFailsWithItsName() throws {
        let half = "videotestsrc num-buffers=30 is-live=true ! video/x-raw,\(Self.size),framerate=30/1"
        let read = try read(
            "\(half) ! openh264enc ! \(Self.h264) ! c. \(half) ! jpegenc ! c. concat name=c")
        #expect((29...31).contains(read.numbers.last ?? 0), "\(read.numbers)")
        #expect(read.error?.description.hasPrefix("/dev/video0: ") == true, "\(String(describing: read.error))")
    }

    @Test(.enabled(if: RTSPServer.isAvailable, "needs python3-gi and gir1.2-gst-rtsp-server-1.0"))
    func aCameraThatChangesItsPictureSizeDoublesNoNumber() async throws {
        func part(_ width: Int, _ height: Int) -> String {
            "videotestsrc num-buffers=30 ! video/x-raw,format=I420,width=\(width),height=\(height),framerate=30/1 "
                + "! openh264enc gop-size=15 ! \(Self.h264) ! c."
        }
        let server = await RTSPServer(
            film: "( \(part(320, 240)) \(part(640, 360)) concat name=c "
                + "! rtph264pay config-interval=-1 name=pay0 pt=96 )")
        var settings = SourceSettings(kind: .rtsp(RTSPSettings(url: server.url, user: RTSPServer.user)))
        settings.idling.mode = .keyframes
        let read = try IdleReader(settings)
        #expect(!read.isOverdue && read.obstacle == nil)
        let numbers = read.numbers(.ordinary, .past)
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy(<), "\(numbers)")
        #expect(read.arrived == 60 && numbers.last == 60, "\(read.arrived) frames arrived: \(numbers)")
        let widths = read.frames.map(\.info.width)
        #expect(widths == widths.sorted() && Set(widths) == [320, 640], "\(widths)")
    }

    /// Each byte behind the headers is damaged with a small probability, so key frames and others are hit.
    @Test(arguments: Fuzz.seeds(6)) func aCameraWithDamagedFramesNeverDoublesANumber(seed: UInt64) throws {
        let damage = "breakmydata seed=\(seed % 1_000_000) skip=40 probability=0.0005"
        let read = try read("\(Self.raw) ! openh264enc gop-size=15 ! \(Self.h264) ! \(damage)")
        #expect(read.arrived <= 60 && read.numbers.allSatisfy { (1...60).contains($0) })
    }
}
