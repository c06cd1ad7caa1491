// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseClient
import JSONLines
import UnixSocket

/// The relay's control socket. It answers each connection with one JSON line, the relay's state, and closes it.
final class StatusSocket {
    private let listener: SocketListener
    private let file: SocketFile?

    /// - Parameters:
    ///   - path: at most 107 bytes; its folder exists.
    ///   - events: the daemon's event socket.
    init(_ path: String, events: String, _ destinations: [Destination]) throws(SocketError) {
        let listening = try SocketFile.listen(path: path, mode: 0o660, group: "", setting: "control")
        file = listening.file
        listener = SocketListener(listening.descriptor, name: "relay.control") { connection in
            Task {
                SocketListener.refuse(connection, with: await Self.line(events, destinations))
            }
        }
    }

    func close() {
        listener.close()
        file?.remove()
    }

    private static func line(_ events: String, _ destinations: [Destination]) async -> [UInt8] {
        let states = destinations.map(\.status)
        // Only a relay that is behind needs the daemon's newest event.
        let newest = states.contains(where: \.isBehind) ? await newestEvent(events) : nil
        var json = JSONWriter()
        json.object { json in
            json.member("v", 1)
            json.member("type", "relay")
            json.array("destinations") { json in
                for state in states { state.write(to: &json, newest: newest) }
            }
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// nil: the daemon does not answer within half a second.
    private static func newestEvent(_ socket: String) async -> Position? {
        await withTaskGroup(of: Position?.self) { group in
            group.addTask {
                let subscription = Subscription(socket: socket, filter: Filter(passive: true), reconnects: false)
                for await event in subscription {
                    guard case .hello(let hello) = event.content else { continue }
                    return Position(runID: hello.runID, sequence: max(1, hello.nextSequence) - 1)
                }
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: .milliseconds(500))
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
