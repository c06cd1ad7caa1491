// SPDX-License-Identifier: Apache-2.0
import Frames
import Foundation
import GlimpseTesting
import Observations
import PictureRelease
import Synchronization
import Testing

@testable import Pictures

/// A video stream with a scripted source and real sockets.
@Suite struct VideoStreamTests {
    private final class Camera: CameraVideo {
        struct State {
            var frames: [EncodedFrame] = []
            var arrived: (@Sendable () -> Void)?
            var isInOrder = true
            var read: [UInt64] = []
            /// Called once, while the first frame is read.
            var firstRead: (@Sendable () -> Void)?
        }

        let state = Mutex(State())

        func send(_ numbers: ClosedRange<UInt64>) {
            let arrived = state.withLock { state in
                state.frames += numbers.map { number in
                    EncodedFrame(
                        number: number, presentationTime: Int64(number) * 40_000_000, bytes: 4, isKey: number % 10 == 0)
                }
                return state.arrived
            }
            arrived?()
        }

        var fill: EncodedFill { EncodedFill(frames: 0, bytes: 0, length: .zero, hasOverflowed: false) }
        var newestTime: Int64? { state.withLock(\.frames.last?.presentationTime) }
        var isInOrder: Bool { state.withLock(\.isInOrder) }
        func frames(after number: UInt64) -> [EncodedFrame] {
            state.withLock { $0.frames.filter { $0.number > number } }
        }
        func description(at number: UInt64) throws(SourceError) -> VideoDescription {
            VideoDescription(width: 640, height: 360, configuration: [1, 0x42, 0xC0, 0x1E, 0xFF])
        }
        func content(of number: UInt64) -> [UInt8]? {
            let firstRead = state.withLock { state in
                state.read.append(number)
                defer { state.firstRead = nil }
                return state.firstRead
            }
            firstRead?()
            return [0, 0, 0, UInt8(truncatingIfNeeded: number)]
        }
        func follow(_ arrived: (@Sendable () -> Void)?) { state.withLock { $0.arrived = arrived } }
        var isFollowed: Bool { state.withLock { $0.arrived != nil } }
    }

    private static func frame(_ time: Int64, rotation: Int = 0) -> FrameInfo {
        FrameInfo(
            epoch: 7, sequence: 1, presentationTime: time, time: Timestamp(nanoseconds: time), clock: .arrival,
            width: 640, height: 360, rotation: rotation, mirrored: false)
    }

    /// The two ends of a connection: the stream's, which it owns, and the viewer's.
    private static func pair() throws -> (stream: CInt, viewer: CInt) {
        var ends: [CInt] = [0, 0]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        // A stream that sends nothing fails the test, and does not hold it up.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(ends[1], SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        return (ends[0], ends[1])
    }

    /// The bytes until the connection ends or a condition holds.
    private static func read(_ viewer: CInt, until isEnough: ([UInt8]) -> Bool = { _ in false }) -> [UInt8] {
        var (bytes, block) = ([UInt8](), [UInt8](repeating: 0, count: 65536))
        while !isEnough(bytes), case let count = recv(viewer, &block, block.count, 0), count > 0 {
            bytes += block.prefix(count)
        }
        return bytes
    }

    private static func fragments(_ bytes: [UInt8]) -> Int {
        var count = 0
        let name = Array("mdat".utf8)
        for index in bytes.indices where bytes[index...].starts(with: name) { count += 1 }
        return count
    }

    private func stream(_ obstacle: String? = nil, isPaced: Bool = false) -> VideoStream {
        VideoStream(epoch: 7, obstacle: obstacle, isPaced: isPaced) { _ in }
    }

    @Test func aViewerGetsTheVideoFromTheNewestKeyFrameOn() async throws {
        let (camera, stream) = (Camera(), stream())
        camera.send(10...23)
        stream.begin(PictureRelease(CoverRules()).releaseAtOnce(camera))
        stream.offer(Self.frame(0))
        #expect(!camera.isFollowed, "without viewers nothing is done")
        let ends = try Self.pair()
        stream.add(ends.stream)
        let first = Self.read(ends.viewer) { Self.fragments($0) == 4 }
        let line = String(decoding: first.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        #expect(line == #"{"epoch":7,"codec":"avc1.42C01E","width":640,"height":360}"#)
        #expect(await holds { camera.isFollowed })
        camera.send(24...25)
        #expect(Self.fragments(Self.read(ends.viewer) { Self.fragments($0) == 2 }) == 2)
        #expect(camera.state.withLock(\.read) == Array(20...25))
        close(ends.viewer)
        camera.send(26...26)
        #expect(await holds { !camera.isFollowed }, "a viewer that has left costs nothing")
        stream.end()
    }

    @Test func framesOfAFileLeaveWhenTheirPictureIsDecoded() throws {
        let (camera, stream) = (Camera(), stream(isPaced: true))
        camera.send(10...30)
        stream.begin(PictureRelease(CoverRules()).releaseAtOnce(camera))
        stream.offer(Self.frame(12 * 40_000_000))
        let ends = try Self.pair()
        stream.add(ends.stream)
        #expect(Self.fragments(Self.read(ends.viewer) { Self.fragments($0) == 3 }) == 3)
        stream.offer(Self.frame(14 * 40_000_000))
        #expect(Self.fragments(Self.read(ends.viewer) { Self.fragments($0) == 2 }) == 2)
        stream.end()
        #expect(Self.read(ends.viewer).isEmpty)
        close(ends.viewer)
    }

    @Test(arguments: [false, true])
    func aFrameThatComesWhileTheFirstIsReadIsNotMissed(_ isPaced: Bool) throws {
        let (camera, stream) = (Camera(), stream(isPaced: isPaced))
        camera.send(10...(isPaced ? 11 : 10))
        camera.state.withLock {
            $0.firstRead = {
                if !isPaced { camera.send(11...11) }
                stream.offer(Self.frame(11 * 40_000_000))
            }
        }
        stream.begin(PictureRelease(CoverRules()).releaseAtOnce(camera))
        stream.offer(Self.frame(10 * 40_000_000))
        let ends = try Self.pair()
        stream.add(ends.stream)
        #expect(Self.fragments(Self.read(ends.viewer) { Self.fragments($0) == 2 }) == 2)
        stream.end()
        close(ends.viewer)
    }

    @Test func fragmentsOfAFrameAreMadeOnceForAllViewers() throws {
        let (camera, stream) = (Camera(), stream())
        camera.send(10...10)
        stream.begin(PictureRelease(CoverRules()).releaseAtOnce(camera))
        stream.offer(Self.frame(0))
        let ends = try (0..<5).map { _ in try Self.pair() }
        for each in ends { stream.add(each.stream) }
        for each in ends { _ = Self.read(each.viewer) { Self.fragments($0) == 1 } }
        camera.send(11...11)
        for each in ends { _ = Self.read(each.viewer) { Self.fragments($0) == 1 } }
        #expect(camera.state.withLock { $0.read.count { $0 == 11 } } == 1)
        stream.end()
        for each in ends { close(each.viewer) }
    }

    @Test(arguments: ["masks", "order", "turned", "none"])
    func aViewerThatGetsNoVideoGetsTheReason(_ reason: String) throws {
        let (camera, stream) = (Camera(), stream(reason == "masks" ? "masks cover parts" : nil))
        camera.send(10...10)
        camera.state.withLock { $0.isInOrder = reason != "order" }
        let ends = try Self.pair()
        stream.add(ends.stream)
        stream.begin(reason == "none" ? nil : PictureRelease(CoverRules()).releaseAtOnce(camera))
        stream.offer(Self.frame(0, rotation: reason == "turned" ? 90 : 0))
        camera.send(11...11)
        let text = String(decoding: Self.read(ends.viewer), as: UTF8.self)
        let words = ["masks": "masks", "order": "B-frames", "turned": "turned", "none": "no encoded video"]
        #expect(text.hasPrefix(#"{"error":""#) && text.contains(words[reason] ?? "?"), "\(text)")
        stream.end()
        close(ends.viewer)
    }

    @Test func aViewerThatDoesNotReadDelaysNoOther() throws {
        let (camera, stream) = (Camera(), stream())
        camera.send(10...10)
        stream.begin(PictureRelease(CoverRules()).releaseAtOnce(camera))
        stream.offer(Self.frame(0))
        let (stuck, other) = (try Self.pair(), try Self.pair())
        var small: CInt = 1
        setsockopt(stuck.stream, SOL_SOCKET, SO_SNDBUF, &small, socklen_t(MemoryLayout<CInt>.size))
        stream.add(stuck.stream)
        stream.add(other.stream)
        _ = Self.read(other.viewer) { Self.fragments($0) == 1 }
        for number in UInt64(11)...300 {
            camera.send(number...number)
            _ = Self.read(other.viewer) { Self.fragments($0) == 1 }
        }
        stream.end()
        let rest = Self.read(stuck.viewer)
        #expect(Self.fragments(rest) < 290)
        close(stuck.viewer)
        close(other.viewer)
    }
}
