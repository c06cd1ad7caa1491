// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc
import Testing

@testable import Web

/// A stream's way from the daemon's socket to the viewer's.
@Suite struct StreamCopyTests {
    /// Two connected sockets. Closes those that a test has not closed.
    private final class Pair: @unchecked Sendable {
        private(set) var ends: [CInt] = [-1, -1]
        private let reading = DispatchGroup()
        private var received: [UInt8] = []

        init() throws { try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0) }

        deinit { for end in ends.indices { close(end) } }

        func close(_ end: Int) {
            if ends[end] >= 0 { Glibc.close(ends[end]) }
            ends[end] = -1
        }

        func write(_ bytes: [UInt8]) { #expect(Glibc.write(ends[0], bytes, bytes.count) == bytes.count) }

        /// All bytes until the end.
        func readAll() -> [UInt8] {
            var all: [UInt8] = []
            var block = [UInt8](repeating: 0, count: 4096)
            while case let count = Glibc.read(ends[1], &block, block.count), count > 0 { all += block[..<count] }
            return all
        }

        /// Reads on a thread of its own, until the end.
        func beginReading() {
            DispatchQueue.global().async(group: reading) { self.received = self.readAll() }
        }

        func endReading() -> [UInt8] {
            close(0)
            reading.wait()
            return received
        }

        /// Makes the first end one that does not block, with a small buffer.
        func narrow() {
            _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
            var size: CInt = 4096
            setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        }
    }

    private func copy(_ source: Pair, _ viewer: Pair, length: Int? = nil, patience: CInt = 60_000) -> Bool {
        StreamCopy(source: source.ends[1], viewer: viewer.ends[0], length: length, patience: patience).run()
    }

    @Test func aBodyOfUnknownLengthGoesInChunks() throws {
        let (source, viewer) = (try Pair(), try Pair())
        source.write([1, 2, 3])
        source.close(0)
        #expect(copy(source, viewer))
        viewer.close(0)
        #expect(viewer.readAll() == Array("3\r\n".utf8) + [1, 2, 3] + Array("\r\n".utf8))
    }

    /// The largest reading has the longest head.
    @Test func aLongReadingIsOneChunk() throws {
        let (source, viewer) = (try Pair(), try Pair())
        let bytes = (0..<(64 << 10)).map { UInt8(truncatingIfNeeded: $0) }
        source.write(bytes)
        source.close(0)
        viewer.beginReading()
        #expect(copy(source, viewer))
        #expect(viewer.endReading() == Array("10000\r\n".utf8) + bytes + Array("\r\n".utf8))
    }

    @Test func aBodyOfKnownLengthEndsWithItsLastByte() throws {
        let (source, viewer) = (try Pair(), try Pair())
        source.write([1, 2, 3, 4])
        #expect(copy(source, viewer, length: 3))
        viewer.close(0)
        #expect(viewer.readAll() == [1, 2, 3])
    }

    @Test func aSourceThatEndsTooEarlyLeavesTheBodyBroken() throws {
        let (source, viewer) = (try Pair(), try Pair())
        source.write([1, 2])
        source.close(0)
        #expect(!copy(source, viewer, length: 3))
    }

    /// A slow viewer gets all bytes of a clip.
    @Test func aViewerThatTakesLittleGetsAll() throws {
        let (source, viewer) = (try Pair(), try Pair())
        viewer.narrow()
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        source.write(bytes)
        source.close(0)
        viewer.beginReading()
        #expect(copy(source, viewer, length: bytes.count))
        #expect(viewer.endReading() == bytes)
    }

    @Test func aViewerThatTakesNothingEndsTheCopy() throws {
        let (source, viewer) = (try Pair(), try Pair())
        viewer.narrow()
        source.write([UInt8](repeating: 7, count: 50_000))
        #expect(!copy(source, viewer, patience: 50))
    }

    @Test func aViewerThatLeftEndsTheCopy() throws {
        let (source, viewer) = (try Pair(), try Pair())
        viewer.close(1)
        source.write([1])
        #expect(!copy(source, viewer))
    }
}
