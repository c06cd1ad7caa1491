// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting

/// One request to a server on a Unix socket, and its response.
struct HTTPExchange {
    struct NoResponse: Error {}

    let status: Int
    /// Names in lower case.
    let headers: [String: String]
    private let client: SocketClient

    /// - Parameters:
    ///   - target: the method and the path, such as `GET /`.
    ///   - headers: lines of the request beside `Host`.
    init(_ socket: String, _ target: String, host: String = "localhost", _ headers: [String] = []) throws {
        let client = try SocketClient(socket)
        let lines = ["\(target) HTTP/1.1", "Host: \(host)"] + headers + ["", ""]
        client.send(Array(lines.joined(separator: "\r\n").utf8))
        func line() throws -> String {
            guard var text = try client.nextText() else { throw NoResponse() }
            if text.hasSuffix("\r") { text.removeLast() }
            return text
        }
        let first = try line()
        status = first.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        var found: [String: String] = [:]
        while case let text = try line(), !text.isEmpty {
            guard let colon = text.firstIndex(of: ":") else { continue }
            found[text[..<colon].lowercased()] = String(text[text.index(after: colon)...].drop { $0 == " " })
        }
        self.headers = found
        self.client = client
    }

    /// The whole body of a response with a length.
    func body() throws -> [UInt8] {
        guard let length = headers["content-length"].flatMap({ Int($0) }) else { return [] }
        return try client.take(length) ?? []
    }

    func text() throws -> String { String(decoding: try body(), as: UTF8.self) }

    /// The next chunk of an endless body; nil at its end.
    func chunk() throws -> [UInt8]? {
        guard let line = try client.nextText(), let length = Int(line.filter { $0 != "\r" }, radix: 16), length > 0
        else {
            return nil
        }
        let bytes = try client.take(length)
        _ = try client.take(2)
        return bytes
    }

    func close() { client.close() }
}
