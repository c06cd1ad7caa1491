// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// Gives commands to the daemon, each on a connection of its own.
package struct ControlClient: Sendable {
    /// The reason why a command has no result.
    package enum Problem: Error {
        /// The daemon cannot be reached, or says nothing.
        case absent(String)
        /// The daemon refuses the command.
        case refused(String)
    }

    /// The members of every reply.
    private struct Reply: Decodable {
        var ok: Bool
        var error: String?
    }

    private struct Announcement: Decodable {
        var bytes: Int
    }

    /// The longest reply in bytes.
    private static let longest = 8 << 20

    package let path: String
    /// The wait for a reply.
    package var patience: Duration

    package init(path: String, patience: Duration = .seconds(10)) {
        self.path = path
        self.patience = patience
    }

    /// Sends a command.
    ///
    /// - Returns: the line of the reply without its newline.
    /// - Throws: `Problem`.
    package func ask(_ request: [UInt8]) async throws -> [UInt8] { try await open(request).reply }

    /// Sends a command whose reply is followed by other bytes.
    ///
    /// - Returns: the reply, the connection, and the bytes that came with the reply.
    /// - Throws: `Problem`.
    package func open(_ request: [UInt8]) async throws -> (reply: [UInt8], connection: Connection, rest: [UInt8]) {
        do {
            let connection = try Connection(path)
            try connection.send(request + [UInt8(ascii: "\n")])
            let (line, rest) = try await within(patience) { try await Self.line(from: connection) }
            guard let reply = try? JSONDecoder().decode(Reply.self, from: Data(line)) else {
                throw Problem.absent("the daemon sent a line that is no reply")
            }
            guard reply.ok else { throw Problem.refused(reply.error ?? "the daemon refuses the command") }
            return (line, connection, rest)
        } catch let lost as Connection.Lost {
            throw Problem.absent(lost.reason)
        }
    }

    /// Sends a command whose reply names a number of `bytes` that follow it.
    ///
    /// - Throws: `Problem`, also for more bytes than `most` and for a connection that ends before the last of them.
    package func bytes(_ request: [UInt8], most: Int) async throws -> [UInt8] {
        let (reply, connection, rest) = try await open(request)
        guard let count = try? JSONDecoder().decode(Announcement.self, from: Data(reply)).bytes, count <= most else {
            throw Problem.absent("the daemon's reply is too long")
        }
        var bytes = rest
        bytes.reserveCapacity(count)
        do throws(Connection.Lost) {
            while bytes.count < count, !Task.isCancelled {
                switch try connection.read() {
                case .bytes(let more): bytes += more
                case .nothing: await connection.waitUntilReadable()
                }
            }
        } catch {
            throw Problem.absent(error.reason)
        }
        return bytes
    }

    /// The line with which a socket answers every connection; nil without one.
    package func greeting() async -> [UInt8]? {
        guard let connection = try? Connection(path) else { return nil }
        return try? await within(patience) { try await Self.line(from: connection) }.line
    }

    private static func line(from connection: Connection) async throws -> (line: [UInt8], rest: [UInt8]) {
        var bytes: [UInt8] = []
        while bytes.count <= longest {
            try Task.checkCancellation()
            switch try connection.read() {
            case .nothing: await connection.waitUntilReadable()
            case .bytes(let more):
                let searched = bytes.count
                bytes += more
                if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                    return (Array(bytes[..<end]), Array(bytes[(end + 1)...]))
                }
            }
        }
        throw Problem.absent("the daemon's reply is longer than \(longest >> 20) MiB")
    }
}

/// - Throws: `ControlClient.Problem` if the operation takes longer.
package func within<Value: Sendable>(
    _ limit: Duration, _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask(operation: operation)
        group.addTask {
            try await Task.sleep(for: limit)
            throw ControlClient.Problem.absent("the daemon does not answer")
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() else { throw CancellationError() }
        return value
    }
}
