// SPDX-License-Identifier: Apache-2.0
import Glibc
import SocketAddresses

/// A subscriber that reads lines from a Unix socket, blocking with a deadline.
package final class SocketClient {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private let descriptor: CInt
    private var buffer: [UInt8] = []
    private var isOpen = true

    package init(_ path: String) throws {
        descriptor = socket(AF_UNIX, CInt(bitPattern: SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard let address = UnixAddress(path: path) else { throw Failure(description: "\(path): too long") }
        let result = address.with { [descriptor] in connect(descriptor, $0, $1) }
        guard result == 0 else {
            let reason = String(cString: strerror(errno))
            Glibc.close(descriptor)
            throw Failure(description: "connect \(path): \(reason)")
        }
    }

    deinit { close() }

    package func close() {
        if isOpen { Glibc.close(descriptor) }
        isOpen = false
    }

    /// Ends the sending side of the connection.
    package func finishSending() { shutdown(descriptor, CInt(SHUT_WR)) }

    package func send(_ text: String) { send(Array((text + "\n").utf8)) }

    package func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            if count <= 0 { return }
            rest.removeFirst(count)
        }
    }

    /// Sends `bytes` repeatedly as long as the peer takes them.
    ///
    /// - Returns: the number of bytes taken until none was taken for half a second, the peer closed the connection, or
    ///   `limit` was reached.
    package func sendUntilRefused(_ bytes: [UInt8], limit: Int) -> Int {
        var sent = 0
        while sent < limit {
            let count = Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
            if count > 0 {
                sent += count
                continue
            }
            var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard errno == EAGAIN, Glibc.poll(&poll, 1, 500) > 0 else { break }
        }
        return sent
    }

    /// The next line of the event stream; nil at its end.
    ///
    /// - Throws: `Failure` if no line arrives in time.
    package func next(within limit: Duration = patience) throws -> StreamLine? {
        try nextBytes(within: limit).map { try StreamLine($0) }
    }

    /// The next line as text without its newline; nil at the end.
    package func nextText(within limit: Duration = patience) throws -> String? {
        try nextBytes(within: limit).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The next `count` bytes; nil if the stream ends before them.
    ///
    /// - Throws: `Failure` if they do not arrive in time.
    package func take(_ count: Int, within limit: Duration = patience) throws -> [UInt8]? {
        let deadline = ContinuousClock.now + limit
        while buffer.count < count {
            guard try fill(by: deadline, limit) else { return nil }
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    private func nextBytes(within limit: Duration) throws -> [UInt8]? {
        let deadline = ContinuousClock.now + limit
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(buffer[..<end])
                buffer.removeFirst(end + 1)
                return line
            }
            guard try fill(by: deadline, limit) else { return nil }
        }
    }

    /// Reads what has arrived, or waits for it.
    ///
    /// - Returns: false at the end of the stream.
    private func fill(by deadline: ContinuousClock.Instant, _ limit: Duration) throws -> Bool {
        while true {
            let left = deadline - .now
            guard left > .zero else { throw Failure(description: "nothing within \(limit)") }
            var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard Glibc.poll(&poll, 1, CInt(max(1, left / .milliseconds(1)))) > 0 else { continue }
            var chunk = [UInt8](repeating: 0, count: 256 * 1024)
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count <= 0 { return false }
            buffer += chunk[..<count]
            return true
        }
    }

    /// The lines up to and including the first that `isLast` accepts.
    package func lines(
        within limit: Duration = patience, until isLast: (StreamLine) -> Bool
    ) throws -> [StreamLine] {
        let deadline = ContinuousClock.now + limit
        var lines: [StreamLine] = []
        while let line = try next(within: deadline - .now) {
            lines.append(line)
            if isLast(line) { return lines }
        }
        throw Failure(description: "the stream ended after \(lines.count) lines: \(lines.last?.text ?? "")")
    }

    /// All lines up to the end of the stream.
    package func rest(within limit: Duration = patience) throws -> [StreamLine] {
        let deadline = ContinuousClock.now + limit
        var lines: [StreamLine] = []
        while let line = try next(within: deadline - .now) { lines.append(line) }
        return lines
    }
}
