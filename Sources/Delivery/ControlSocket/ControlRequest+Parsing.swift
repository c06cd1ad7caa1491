import FoundationEssentials
import Observations
import Search

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
        let line = try decoder.container(keyedBy: Key.self)
        let idKey = Key(stringValue: "request")
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
        _ line: KeyedDecodingContainer<Key>, _ key: Key
    ) throws(ControlRequest.Invalid) -> ControlRequest.ID {
        if let number = try? line.decode(Int64.self, forKey: key) { return .number(number) }
        guard let text = try? line.decode(String.self, forKey: key), text.utf8.count <= ControlRequest.maximumIDBytes
        else { throw .init(reason: "request: expected a whole number, or a string of at most 256 bytes") }
        return .text(text)
    }

    private static func command(
        _ line: KeyedDecodingContainer<Key>, _ keys: [Key]
    ) throws(ControlRequest.Invalid) -> ControlCommand {
        guard let key = keys.first else { throw .init(reason: "no command: \(commands)") }
        guard keys.count == 1 else { throw .init(reason: "a line has one command, not \(keys.count)") }
        let name = key.stringValue
        guard names.contains(name) else {
            throw .init(reason: "unknown command \"\(name.prefix(64))\": \(commands)")
        }
        var members = try Members(name, line, key)
        let command: ControlCommand =
            switch name {
            case "status": .status
            case "reload": .reload(dryRun: try members.flag("dry_run"))
            case "pause": .pause(try members.text("pipeline"))
            case "resume": .resume(try members.text("pipeline"))
            case "restart": .restart(try members.text("pipeline"))
            case "focus":
                .focus(
                    pipeline: try members.text("pipeline"), detector: try members.text("detector"),
                    track: try members.track("id"))
            case "snapshot":
                .snapshot(try members.text("pipeline"), isCaptioned: try members.flag("caption"))
            case "accept": .accept(try members.text("file"))
            case "search": .search(.search, pipeline: try members.text("pipeline"))
            case "dismiss": .search(.dismiss, pipeline: try members.text("pipeline"))
            case "retry": .search(.retry, pipeline: try members.text("pipeline"))
            case "select": .search(try members.selection(), pipeline: try members.text("pipeline"))
            default: .search(try members.answer(), pipeline: try members.text("pipeline"))
            }
        try members.finish()
        return command
    }

    private static let names = [
        "status", "reload", "pause", "resume", "restart", "focus", "snapshot", "accept", "search", "dismiss", "retry",
        "select", "result",
    ]
    private static let commands = "expected one of \(names.joined(separator: ", "))"
}

/// The members of a command's object. Each may be read once. `true` stands for an object without members.
private struct Members {
    private let name: String
    private let object: KeyedDecodingContainer<Key>?
    private let line: KeyedDecodingContainer<Key>
    private let key: Key
    private var rest: Set<String>

    init(_ name: String, _ line: KeyedDecodingContainer<Key>, _ key: Key) throws(ControlRequest.Invalid) {
        (self.name, self.line, self.key) = (name, line, key)
        if (try? line.decode(Bool.self, forKey: key)) == true {
            (object, rest) = (nil, [])
            return
        }
        guard let object = try? line.nestedContainer(keyedBy: Key.self, forKey: key) else {
            throw .init(reason: "\(name): expected an object, or true")
        }
        self.object = object
        rest = Set(object.allKeys.map(\.stringValue))
    }

    mutating func text(_ key: String) throws(ControlRequest.Invalid) -> String {
        rest.remove(key)
        guard let text = try? object?.decode(String.self, forKey: Key(stringValue: key)), !text.isEmpty else {
            throw .init(reason: "\(name).\(key): expected a name")
        }
        return text
    }

    mutating func flag(_ key: String) throws(ControlRequest.Invalid) -> Bool {
        guard rest.remove(key) != nil else { return false }
        guard let flag = try? object?.decode(Bool.self, forKey: Key(stringValue: key)) else {
            throw .init(reason: "\(name).\(key): expected true or false")
        }
        return flag
    }

    /// A track id in the form of events: a string of digits.
    mutating func track(_ key: String) throws(ControlRequest.Invalid) -> UInt64? {
        guard rest.remove(key) != nil else { return nil }
        let text = try? object?.decode(String.self, forKey: Key(stringValue: key))
        guard let track = text.flatMap({ UInt64($0) }), track > 0 else {
            throw .init(reason: "\(name).\(key): expected a track's id from its events, such as \"12\"")
        }
        return track
    }

    /// Decodes the whole object, for commands with their own form.
    private func form<Form: Decodable>(_ type: Form.Type) throws -> Form { try line.decode(type, forKey: key) }

    mutating func selection() throws(ControlRequest.Invalid) -> SearchCommand {
        guard let track = try track("id") else {
            throw .init(reason: "\(name).id: expected a track's id from its events, such as \"12\"")
        }
        return .select(TrackID(track))
    }

    /// A subscriber's answer to a search.
    mutating func answer() throws(ControlRequest.Invalid) -> SearchCommand {
        let query = try text("search")
        rest.subtract(["results", "error", "retryable"])
        do {
            return .answer(query: query, try form(SearchAnswerForm.self).answer)
        } catch let invalid as ControlRequest.Invalid {
            throw invalid
        } catch {
            throw .init(reason: "\(name): expected results or error")
        }
    }

    func finish() throws(ControlRequest.Invalid) {
        guard let unknown = rest.min() else { return }
        throw .init(reason: "unknown key \(name).\(unknown.prefix(64))")
    }
}

private struct Key: CodingKey, Equatable {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
