// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// One line from a peer: a command, and an optional id for the reply.
package struct ControlRequest: Sendable, Equatable {
    /// The reason why a line is not a request, for the peer.
    package struct Invalid: Error, Equatable {
        package var reason: String

        package init(reason: String) {
            self.reason = reason
        }
    }

    /// An id that the reply repeats.
    package enum ID: Sendable, Equatable {
        case text(String)
        case number(Int64)
    }

    /// The longest request line in bytes, including its newline.
    package static let maximumBytes = 64 * 1024
    /// The longest id in UTF-8 bytes.
    static let maximumIDBytes = 256

    package var id: ID?
    package var command: Result<ControlCommand, Invalid>
}

extension ControlRequest {
    /// Parses a line. An invalid line also gives a request with a reply, which carries the id if it is readable.
    package init(line: some Collection<UInt8>) {
        do {
            self = try JSONDecoder().decode(RequestLine.self, from: Data(line)).request
        } catch DecodingError.typeMismatch {
            self.init(id: nil, command: .failure(Invalid(reason: "a request must be a JSON object")))
        } catch {
            self.init(id: nil, command: .failure(Invalid(reason: "invalid JSON")))
        }
    }
}

/// The JSON form: one command, and the optional `request`.
private struct RequestLine: Decodable {
    let request: ControlRequest

    init(from decoder: any Decoder) throws {
        let line = try decoder.container(keyedBy: CommandMembers.Key.self)
        let idKey = CommandMembers.Key(stringValue: "request")
        var id: ControlRequest.ID?
        do throws(ControlRequest.Invalid) {
            if line.contains(idKey) { id = try Self.id(line, idKey) }
            request = ControlRequest(
                id: id, command: .success(try Self.command(line, line.allKeys.filter { $0 != idKey })))
        } catch {
            request = ControlRequest(id: id, command: .failure(error))
        }
    }

    private static func id(
        _ line: KeyedDecodingContainer<CommandMembers.Key>, _ key: CommandMembers.Key
    ) throws(ControlRequest.Invalid) -> ControlRequest.ID {
        if let number = try? line.decode(Int64.self, forKey: key) { return .number(number) }
        guard let text = try? line.decode(String.self, forKey: key), text.utf8.count <= ControlRequest.maximumIDBytes
        else { throw .init(reason: "request: expected a whole number, or a string of at most 256 bytes") }
        return .text(text)
    }

    private static func command(
        _ line: KeyedDecodingContainer<CommandMembers.Key>, _ keys: [CommandMembers.Key]
    ) throws(ControlRequest.Invalid) -> ControlCommand {
        guard let key = keys.first else { throw .init(reason: "no command: \(commands)") }
        guard keys.count == 1 else { throw .init(reason: "a line has one command, not \(keys.count)") }
        let name = key.stringValue
        guard ControlCommand.names.contains(name) else {
            throw .init(reason: "unknown command \"\(name.prefix(64))\": \(commands)")
        }
        var members = try CommandMembers(name, line, key)
        let command = try ControlCommand(name, &members)
        try members.finish()
        return command
    }

    private static let commands = "expected one of \(ControlCommand.names.joined(separator: ", "))"
}
