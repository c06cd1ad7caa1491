// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import GlimpseClient
import JSONLines

/// A stream of pictures or of video, which the pipeline's worker writes. Only one task may use it.
struct PictureConnection {
    /// The pictures that a viewer wants.
    struct Wish: Sendable {
        var pipeline: String
        /// Whether the viewer wants the camera's own video, which has its own width and rate.
        var isVideo = false
        /// Pixels.
        var width: Int
        /// Pictures a second.
        var rate: Int
        /// The name of the viewer for the daemon's log.
        var viewer: String

        var request: [UInt8] {
            var json = JSONWriter()
            json.object { json in
                json.object("view") { json in
                    json.member("pipeline", pipeline)
                    json.member("mode", isVideo ? "h264" : "jpeg")
                    json.member("width", width)
                    json.member("rate", rate)
                    json.member("viewer", viewer)
                }
            }
            return json.bytes
        }
    }

    /// A picture and the frame that it shows.
    struct Picture: Sendable {
        struct Header: Decodable {
            var seq: UInt64
            var epoch: UInt64
            var pts: Int64?
            var bytes: Int

            enum CodingKeys: String, CodingKey {
                case seq, epoch, bytes
                case pts = "pts_ns"
            }
        }

        var header: Header
        /// The header as the worker has written it.
        var json: [UInt8]
        var jpeg: [UInt8]

        /// The record with the name of its pipeline as the first member of the header.
        func record(of pipeline: String) -> [UInt8] {
            var name = JSONWriter()
            name.object { $0.member("pipeline", pipeline) }
            let header = name.bytes.dropLast() + [UInt8(ascii: ",")] + json.dropFirst()
            return withUnsafeBytes(of: UInt32(header.count).bigEndian, Array.init) + header + jpeg
        }
    }

    /// The limits of a record, which keep a broken worker from filling the memory.
    private static let longestHeader = 4096
    private static let largestPicture = 16 << 20

    let connection: Connection
    /// The bytes that have been read, and that no call has returned.
    private(set) var rest: [UInt8]

    /// - Throws: `ControlClient.Problem`.
    init(_ wish: Wish, _ control: ControlClient) async throws {
        let opened = try await control.open(wish.request)
        self.init(opened.connection, rest: opened.rest)
    }

    /// - Parameter rest: the bytes that have come already.
    init(_ connection: Connection, rest: [UInt8]) {
        (self.connection, self.rest) = (connection, rest)
    }

    /// The next bytes of the stream; nil at its end, and when the task is cancelled.
    mutating func next() async -> [UInt8]? {
        if !rest.isEmpty {
            defer { rest = [] }
            return rest
        }
        while !Task.isCancelled {
            switch try? connection.read() {
            case .bytes(let bytes): return bytes
            case .nothing: await connection.waitUntilReadable()
            case nil: return nil
            }
        }
        return nil
    }

    /// The next line without its newline; nil at the end of the stream, and when the task is cancelled.
    mutating func line() async -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count <= Self.longestHeader, let more = await next() {
            bytes += more
            guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { continue }
            rest = Array(bytes[(end + 1)...])
            return Array(bytes[..<end])
        }
        return nil
    }

    /// The next whole picture; nil at the end of the stream, and when the task is cancelled.
    mutating func picture() async -> Picture? {
        var bytes: [UInt8] = []
        func isWhole(_ count: Int) -> Bool { bytes.count >= count }
        while !isWhole(4) {
            guard let more = await next() else { return nil }
            bytes += more
        }
        let length = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard length <= Self.longestHeader else { return nil }
        while !isWhole(4 + length) {
            guard let more = await next() else { return nil }
            bytes += more
        }
        guard let header = try? JSONDecoder().decode(Picture.Header.self, from: Data(bytes[4..<4 + length])),
            (1...Self.largestPicture).contains(header.bytes)
        else { return nil }
        let end = 4 + length + header.bytes
        while !isWhole(end) {
            guard let more = await next() else { return nil }
            bytes += more
        }
        rest = Array(bytes[end...])
        return Picture(header: header, json: Array(bytes[4..<4 + length]), jpeg: Array(bytes[(4 + length)..<end]))
    }
}
