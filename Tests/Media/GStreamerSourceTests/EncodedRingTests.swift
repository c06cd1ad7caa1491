// SPDX-License-Identifier: Apache-2.0
import Foundation
import Frames
import GlimpseTesting
import Settings
import Testing

@testable import GStreamerSource

/// The encoded frames that a source keeps. In scripts a frame lasts 100 ms and has 1000 bytes, and every tenth is a key
/// frame.
@Suite struct EncodedRingTests {
    private let scope = TestScope()

    private func ring(_ seconds: Int64, bytes: Int = 1 << 20, frames: ClosedRange<UInt64>, needed: UInt64? = nil)
        -> EncodedRing<Void>
    {
        var ring = EncodedRing<Void>(duration: seconds * 1_000_000_000, bytesLimit: bytes)
        for number in frames {
            ring.append(
                EncodedItem(
                    buffer: (), number: number, time: Int64(number) * 100_000_000, bytes: 1000,
                    isKey: number % 10 == 1), keeping: needed.flatMap { $0 <= number ? $0 : nil })
        }
        return ring
    }

    @Test func ringKeepsItsDurationFromAKeyFrameOn() {
        let full = ring(3, frames: 1...100)
        #expect(full.items.map(\.number) == Array(61...100) && full.length == 3_900_000_000)
        #expect(full.bytes == 40_000 && !full.hasOverflowed)
        // One frame later the group that begins with frame 71 alone covers 3 s.
        #expect(ring(3, frames: 1...101).items.first?.number == 71)
    }

    @Test func ringBeginsWithTheFirstKeyFrame() {
        #expect(ring(3, frames: 5...10).items.isEmpty)
        #expect(ring(3, frames: 5...15).items.map(\.number) == Array(11...15))
    }

    @Test func ringWithoutADurationKeepsOnlyNeededFrames() {
        #expect(ring(0, frames: 1...100).items.isEmpty)
        #expect(ring(0, frames: 1...100, needed: 51).items.map(\.number) == Array(51...100))
    }

    @Test func ringStaysWithinItsBytes() {
        let full = ring(60, bytes: 25_000, frames: 1...100)
        #expect(full.items.map(\.number) == Array(81...100) && full.bytes <= 25_000 && !full.hasOverflowed)
    }

    @Test func ringBeginsAnewAfterAGroupOfPicturesThatDoesNotFit() {
        #expect(ring(60, bytes: 5000, frames: 1...6).items.isEmpty)
        let small = ring(60, bytes: 5000, frames: 1...13)
        #expect(small.hasOverflowed && small.items.map(\.number) == [11, 12, 13] && small.bytes == 3000)
    }

    @Test func neededFramesOfTheRingStay() {
        let full = ring(1, bytes: 25_000, frames: 1...100, needed: 31)
        #expect(full.items.map(\.number) == Array(31...100))
    }

    @Test func framesOfTheRingFollowANumber() {
        let full = ring(3, frames: 1...100)
        #expect(full.items(after: 98).map(\.number) == [99, 100])
        #expect(full.items(after: 100).isEmpty && full.items(after: 200).isEmpty)
        #expect(full.items(after: 3).count == 40)
    }

    // MARK: Sources

    private func film(_ encoding: String, frames: Int = 60) throws -> String {
        let name = encoding.hasPrefix("jpegenc") ? "film.jpeg.mkv" : "film.mkv"
        return try MediaMaker.film(scope.path(name), frames: frames, encoding: encoding)
    }

    /// Reads a source to its end, and the encoded frames that are in memory with each of its frames.
    ///
    /// A camera is read until it has sent `sent` frames. On a busy machine the RTSP server may lose the end of a film
    /// or never say that it is over.
    private func read(
        _ kind: SourceKind, camera: String? = nil, until sent: Int = .max
    ) throws -> (times: [Int64], encoded: [EncodedFrame], fill: EncodedFill?) {
        var settings = SourceSettings(kind: kind)
        settings.ring.duration = .seconds(60)
        if camera != nil { (settings.width, settings.height) = (320, 240) }
        let source = GStreamerSource(settings, password: "geheim42", camera: camera)
        var times: [Int64] = []
        var encoded: [EncodedFrame] = []
        try source.start()
        defer { source.stop() }
        let deadline = ContinuousClock.now + patience
        var isOver = false
        while !isOver, ContinuousClock.now < deadline {
            switch source.next(timeout: .milliseconds(100)) {
            case .frame(let frame): times.append(frame.info.presentationTime)
            case .nothing: break
            case .ended, .failed: isOver = true
            }
            // Also after the end: a busy machine may skip the last pictures, whose encoded frames are in the ring.
            encoded += source.encodedVideo?.frames(after: encoded.last?.number ?? 0) ?? []
            isOver = isOver || encoded.count >= sent && times.count > 1
        }
        return (times, encoded, isOver ? source.encodedVideo?.fill : nil)
    }

    @Test(arguments: [
        "openh264enc gop-size=15 ! h264parse ! matroskamux",
        "x265enc key-int-max=15 option-string=bframes=2 ! h265parse ! matroskamux",
        "x265enc key-int-max=15 option-string=bframes=0 ! h265parse ! matroskamux", "jpegenc ! matroskamux",
    ]) func presentationTimesOfTheRingAreThoseOfTheFrames(encoding: String) throws {
        let (times, encoded, fill) = try read(.file(path: try film(encoding), pace: .realtime))
        #expect(encoded.map(\.number) == Array(1...60))
        #expect(encoded.first?.isKey == true && encoded.count(where: \.isKey) >= 4)
        // A busy machine may skip frames of a film in real time.
        #expect(times.count > 1 && Set(times).isSubset(of: Set(encoded.compactMap(\.presentationTime))))
        #expect(encoded.compactMap(\.presentationTime).count == 60 && encoded.first?.presentationTime == 0)
        #expect(fill?.frames == 60 && fill?.bytes == encoded.reduce(0) { $0 + $1.bytes })
        #expect(
            fill.map { $0.length > .milliseconds(1900) && $0.length < .seconds(2) } == true,
            "\(String(describing: fill))")
    }

    @Test(
        .enabled(if: RTSPServer.isAvailable, "needs python3-gi and gir1.2-gst-rtsp-server-1.0"),
        arguments: [("openh264enc gop-size=15 ! h264parse", 15), ("jpegenc", 1)])
    func presentationTimesOfACamerasRingAreThoseOfItsFrames(encoding: String, group: Int) async throws {
        let server = await RTSPServer(film: try film("\(encoding) ! matroskamux", frames: 240))
        let (times, encoded, fill) = try read(.rtsp(RTSPSettings(url: server.url, user: RTSPServer.user)), until: 60)
        #expect(times.count > 1 && Set(times).isSubset(of: Set(encoded.compactMap(\.presentationTime))))
        #expect(encoded.count >= 60 && encoded.map(\.number) == Array(1...UInt64(encoded.count)))
        // On a busy machine a few frames between the first two key frames are lost on the way.
        let keys = encoded.filter(\.isKey).map(\.number), groups = zip(keys.dropFirst(), keys.dropFirst(2))
        #expect(keys.first == 1 && keys.count >= 60 / group && keys[1] <= UInt64(1 + group), "\(keys)")
        #expect(groups.allSatisfy { $1 - $0 == UInt64(group) }, "\(keys)")
        #expect(fill.map { $0.frames >= encoded.count } == true, "\(String(describing: fill))")
    }

    /// The graph of a camera's device, without the device.
    @Test(arguments: [
        ("jpegenc ! image/jpeg", 1),
        ("openh264enc gop-size=15 ! h264parse ! video/x-h264,stream-format=byte-stream", 15),
    ]) func aCamerasDeviceThatGivesEncodedVideoHasARing(encoding: String, group: Int) throws {
        let raw =
            "videotestsrc num-buffers=60 is-live=true ! video/x-raw,format=I420,width=320,height=240,framerate=30/1"
        let (times, encoded, fill) = try read(.v4l2(device: "/dev/video0"), camera: "\(raw) ! \(encoding)")
        #expect(times.count > 1 && Set(times).isSubset(of: Set(encoded.compactMap(\.presentationTime))))
        #expect(encoded.map(\.number) == Array(1...60) && encoded.count(where: \.isKey) == 60 / group)
        #expect(encoded.first?.presentationTime == 0 && fill?.frames == 60, "\(String(describing: fill))")
    }

    @Test func aFilmWithoutEncodedFramesHasNoRing() throws {
        let film = scope.path("film.gif")
        _ = FileManager.default.createFile(
            atPath: film, contents: Data(GIFFilm.bytes(width: 64, height: 48, pictures: [.init(grey: 9)])))
        var settings = SourceSettings(kind: .file(path: film, pace: .realtime))
        settings.ring.duration = .seconds(1)
        #expect(FrameReader(settings, most: 1).error?.kind == .misconfigured)
    }
}
