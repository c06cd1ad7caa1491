// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Copies the bytes of one socket to another: one `recv` and one `send` for each frame. It blocks its thread.
struct StreamCopy {
    /// The most bytes that one reading takes.
    private static let block = 64 << 10
    /// The place before the bytes of a chunk: up to six hexadecimal digits and a line's end.
    private static let head = 8

    /// A blocking socket.
    var source: CInt
    /// A socket that does not block.
    var viewer: CInt
    /// The number of bytes to copy; nil for all in chunks (RFC 9112, section 7.1).
    var length: Int?
    /// The time, in milliseconds, in which the viewer must take something.
    var patience: CInt

    /// Copies until the source ends or all bytes are copied.
    ///
    /// - Returns: whether the viewer got all of them.
    func run() -> Bool {
        withUnsafeTemporaryAllocation(byteCount: Self.head + Self.block + 2, alignment: 1) { buffer in
            var left = length ?? .max
            while left > 0 {
                let place = UnsafeMutableRawBufferPointer(rebasing: buffer[Self.head...][..<(Self.head + Self.block)])
                let count = recv(source, place.baseAddress, min(place.count, left), 0)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return count == 0 && length == nil }
                left -= count
                let end = Self.head + count
                guard send(length == nil ? Self.chunk(buffer, end: end) : .init(rebasing: buffer[Self.head..<end]))
                else { return false }
            }
            return true
        }
    }

    /// The bytes between `head` and `end` as a chunk, which begins before them and ends after them.
    private static func chunk(_ buffer: UnsafeMutableRawBufferPointer, end: Int) -> UnsafeRawBufferPointer {
        let size = Array(String(end - head, radix: 16).utf8) + [0x0d, 0x0a]
        let begin = head - size.count
        buffer[begin..<head].copyBytes(from: size)
        buffer[end...].copyBytes(from: [0x0d, 0x0a])
        return .init(rebasing: buffer[begin..<(end + 2)])
    }

    private func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let place = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.send(viewer, place.baseAddress, place.count, CInt(MSG_NOSIGNAL))
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var wait = pollfd(fd: viewer, events: Int16(POLLOUT), revents: 0)
                if poll(&wait, 1, patience) == 0 { return false }
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}
