// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization

/// An HTTP server for one test on its own port. Each connection serves one request.
package final class LoopbackServer: Sendable {
    package struct Request: Sendable {
        package var method: String
        package var path: String
        /// The start of `Range: bytes=START-`.
        package var start: Int?
        package var headers: [String: String]
        package var body: [UInt8]
        /// The number of earlier requests.
        package var index: Int
    }

    package struct Reply: Sendable {
        package var status = 200
        package var headers: [String] = []
        package var body: [UInt8] = []
        /// The number of bytes of the body sent before the connection is cut.
        package var cut: Int?
        /// Further bytes, sent until the client closes the connection.
        package var flood: Flood?
        /// The number of bytes sent before the server stops sending; the connection stays open.
        package var stall: Int?

        package init(
            status: Int = 200, headers: [String] = [], body: [UInt8] = [], cut: Int? = nil, stall: Int? = nil,
            flood: Flood? = nil
        ) {
            self.flood = flood
            self.status = status
            self.headers = headers
            self.body = body
            self.cut = cut
            self.stall = stall
        }
    }

    /// A number of meaningless bytes.
    package struct Flood: Sendable {
        package enum Place: Sendable, CaseIterable {
            /// In the body, with its length declared.
            case body
            /// In a chunked body, without a declared length.
            case chunks
            case headers
        }

        package var place: Place
        package var bytes: Int

        package init(_ place: Place, bytes: Int) { (self.place, self.bytes) = (place, bytes) }
    }

    package let port: UInt16
    private let listener: Int32
    private let state = Mutex<[Request]>([])
    private let sent = Atomic<Int>(0)
    private let handler: @Sendable (Request) -> Reply

    package var requests: [Request] { state.withLock { $0 } }
    /// The number of bytes that clients, or buffers in front of them, have taken.
    package var sentBytes: Int { sent.load(ordering: .relaxed) }

    package init(_ handler: @escaping @Sendable (Request) -> Reply) throws {
        self.handler = handler
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(listener, pointer, length) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        guard isListening else { throw Failure() }
        let thread = Unmanaged.passRetained(self)
        var id = pthread_t()
        // Clients may close the connection at any time, so SIGPIPE is ignored.
        signal(SIGPIPE, SIG_IGN)
        pthread_create(
            &id, nil,
            { argument in
                argument.map { Unmanaged<LoopbackServer>.fromOpaque($0).takeRetainedValue().serve() }
                return nil
            }, thread.toOpaque())
        pthread_detach(id)
    }

    package struct Failure: Error {}

    package func address(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

    /// Stops the server. Call it once, at the end.
    package func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Serves a file normally: whole, or from `start` on.
    package static func ranges(_ file: [UInt8], _ request: Request) -> Reply {
        guard let start = request.start else { return Reply(body: file) }
        guard start < file.count else { return Reply(status: 416, headers: ["Content-Range: bytes */\(file.count)"]) }
        return Reply(
            status: 206, headers: ["Content-Range: bytes \(start)-\(file.count - 1)/\(file.count)"],
            body: Array(file[start...]))
    }

    private func serve() {
        var stalled: [Int32] = []
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            guard let request = receive(connection) else {
                close(connection)
                continue
            }
            let reply = handler(request)
            state.withLock { $0.append(request) }
            if answer(connection, reply) { close(connection) } else { stalled.append(connection) }
        }
        for connection in stalled { close(connection) }
        close(listener)
    }

    /// - Returns: whether the connection can be closed.
    private func answer(_ connection: Int32, _ reply: Reply) -> Bool {
        if let flood = reply.flood { return pour(flood, into: connection) }
        var bytes = Array(
            "HTTP/1.1 \(reply.status) X\r\nConnection: close\r\nContent-Length: \(reply.body.count)\r\n".utf8)
        for header in reply.headers { bytes += Array("\(header)\r\n".utf8) }
        bytes += Array("\r\n".utf8)
        bytes += reply.body.prefix(reply.cut ?? reply.stall ?? reply.body.count)
        _ = send(bytes, to: connection)
        return reply.stall == nil
    }

    /// - Returns: whether all bytes were taken.
    private func send(_ bytes: [UInt8], to connection: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            sent.add(count, ordering: .relaxed)
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func pour(_ flood: Flood, into connection: Int32) -> Bool {
        let size = 64 << 10
        let (head, piece): (String, [UInt8]) =
            switch flood.place {
            case .body:
                ("Content-Length: \(flood.bytes)\r\n\r\n", Array(repeating: UInt8(ascii: " "), count: size))
            case .chunks:
                (
                    "Transfer-Encoding: chunked\r\n\r\n",
                    Array("10000\r\n\(String(repeating: " ", count: size))\r\n".utf8)
                )
            case .headers:
                ("", Array(String(repeating: "X-Nothing: \(String(repeating: "x", count: 1011))\r\n", count: 64).utf8))
            }
        guard send(Array("HTTP/1.1 200 X\r\n\(head)".utf8), to: connection) else { return true }
        for _ in 0..<flood.bytes / size where !send(piece, to: connection) { break }
        return true
    }

    private func receive(_ connection: Int32) -> Request? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        var head: Int?
        var length = 0
        while true {
            if head == nil, let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
                head = end.upperBound
                length = Self.headers(bytes[..<end.lowerBound])["content-length"].flatMap { Int($0) } ?? 0
            }
            if let head, bytes.count >= head + length { break }
            let count = read(connection, &buffer, buffer.count)
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
        guard let head else { return nil }
        let words = String(decoding: bytes.prefix { $0 != 0x0D }, as: UTF8.self).split(separator: " ")
        let headers = Self.headers(bytes[..<(head - 4)])
        let range = headers["range"]?.dropFirst("bytes=".count).prefix { $0 != "-" }
        return Request(
            method: String(words[0]), path: String(words[1]), start: range.flatMap { Int($0) }, headers: headers,
            body: Array(bytes[head..<head + length]), index: state.withLock { $0.count })
    }

    private static func headers(_ bytes: ArraySlice<UInt8>) -> [String: String] {
        var headers: [String: String] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 {
                headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
            }
        }
        return headers
    }
}
