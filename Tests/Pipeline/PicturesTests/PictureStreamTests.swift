// SPDX-License-Identifier: Apache-2.0
import Foundation
import Frames
import GlimpseTesting
import Observations
import PictureRelease
import Pictures
import Synchronization
import Testing

/// A picture stream with real encoding and real sockets.
@Suite struct PictureStreamTests {
    /// The two ends of a connection: the stream's, which it owns, and the viewer's.
    private struct Pair {
        let stream: CInt
        let viewer: CInt

        init() {
            var ends: [CInt] = [0, 0]
            #expect(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
            (stream, viewer) = (ends[0], ends[1])
        }

        /// Whether the viewer has bytes to read, or its end has come.
        func isReadable(_ milliseconds: CInt = 0) -> Bool {
            var poll = pollfd(fd: viewer, events: Int16(POLLIN), revents: 0)
            return Glibc.poll(&poll, 1, milliseconds) > 0
        }
    }

    private final class Count: Sendable {
        let value = Atomic<Int>(0)
    }

    private let painter = FramePainter(width: 800, height: 600)

    private func stream(_ rules: CoverRules = CoverRules(), allows: Bool = true) -> (PictureStream, PictureRelease) {
        let release = PictureRelease(rules)
        return (PictureStream(release, allows: allows) { _ in }, release)
    }

    @Test func aStreamWithoutViewersMakesNoPictureAndHoldsNoFrame() async {
        let released = Count()
        let (stream, _) = stream()
        let painter = FramePainter(width: 800, height: 600, released: { released.value.add(1, ordering: .relaxed) })
        for number in 1...20 { stream.offer(painter.frame(number, seconds: Double(number))) }
        stream.end()
        #expect(stream.made == 0 && released.value.load(ordering: .relaxed) == 20)
    }

    @Test func eachPictureIsEncodedOnceForEachWidth() async {
        let (stream, _) = stream()
        let pairs = (0..<10).map { _ in Pair() }
        for (index, pair) in pairs.enumerated() { stream.add(pair.stream, width: index < 7 ? 320 : 640, rate: 1) }
        var number = 0
        let areServed = await holds {
            number += 1
            stream.offer(painter.frame(number, seconds: Double(number) / 10))
            return pairs.allSatisfy { $0.isReadable() }
        }
        #expect(areServed)
        // Viewers that came after the first frame have a turn of their own; each turn makes at most two pictures.
        let made = stream.made
        #expect((2...6).contains(made), "\(made)")
        stream.end()
        for pair in pairs { close(pair.viewer) }
    }

    @Test func picturesWaitForTheDetectorsThatCoverFeatures() async {
        let (stream, release) = stream(CoverRules(detectors: ["face": .all]))
        let pair = Pair()
        stream.add(pair.stream, width: 640, rate: 30)
        for number in 1...5 {
            stream.offer(painter.frame(number, seconds: Double(number)))
            #expect(!pair.isReadable(20))
        }
        var number = 5
        #expect(
            await holds {
                number += 1
                let frame = painter.frame(number, seconds: Double(number))
                stream.offer(frame)
                release.looked("face", at: frame.info, regions: [])
                return pair.isReadable(20)
            })
        stream.end()
        close(pair.viewer)
    }

    @Test func aStreamThatAllowsNoPicturesDisconnectsViewers() async {
        let (stream, _) = stream(allows: false)
        let pair = Pair()
        stream.add(pair.stream, width: 640, rate: 10)
        #expect(pair.isReadable(CInt(patience / .milliseconds(1))))
        var byte: UInt8 = 0
        #expect(recv(pair.viewer, &byte, 1, 0) == 0)
        stream.offer(painter.frame(1, seconds: 1))
        stream.end()
        #expect(stream.made == 0)
        close(pair.viewer)
    }
}
