import FoundationEssentials
import Search

/// What `result` says: a subscriber's answer to a search.
struct SearchAnswerForm: Decodable {
    private struct Result: Decodable {
        var id: String
        var title: String?
        var confidence: Double?
        var picture: String?
        var payload: JSONValue?
    }

    let answer: SearchAnswer

    private enum CodingKeys: String, CodingKey {
        case results, error, retryable
    }

    init(from decoder: any Decoder) throws {
        let form = try decoder.container(keyedBy: CodingKeys.self)
        func wrong(_ problem: String) -> ControlRequest.Invalid { .init(reason: "result.\(problem)") }
        if form.contains(.error) {
            guard !form.contains(.results) else { throw wrong("results: not together with error") }
            guard let error = try? form.decode(String.self, forKey: .error) else {
                throw wrong("error: expected a text")
            }
            let retryable = (try? form.decodeIfPresent(Bool.self, forKey: .retryable)) ?? true
            answer = .failed(SearchFailure(.engine, retryable: retryable, message: error))
            return
        }
        guard let results = try? form.decode([Result].self, forKey: .results) else {
            throw wrong("results: expected a list of objects with an id")
        }
        guard results.count <= SearchLimits.results else {
            throw wrong("results: at most \(SearchLimits.results), not \(results.count)")
        }
        answer = .results(
            try results.map { result in
                let confidence = result.confidence ?? 1
                guard (0...1).contains(confidence) else { throw wrong("results: a confidence is from 0 to 1") }
                guard !result.id.isEmpty, result.id.utf8.count <= SearchLimits.textBytes,
                    (result.title ?? "").utf8.count <= SearchLimits.textBytes
                else { throw wrong("results: an id and a title have at most \(SearchLimits.textBytes) bytes") }
                guard (result.picture ?? "").utf8.count <= SearchLimits.pictureBytes else {
                    throw wrong("results: a picture's name has at most \(SearchLimits.pictureBytes) bytes")
                }
                let payload = try result.payload.map { try $0.text() }
                guard (payload ?? "").utf8.count <= SearchLimits.payloadBytes else {
                    throw wrong("results: a payload has at most \(SearchLimits.payloadBytes) bytes")
                }
                return SearchResult(
                    id: result.id, title: result.title ?? result.id, confidence: Float(confidence),
                    picture: result.picture, payload: payload)
            })
    }
}

/// Any JSON, to be written as it was meant.
private indirect enum JSONValue: Codable {
    case null, flag(Bool), integer(Int64), number(Double), text(String), list([JSONValue]), object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([JSONValue].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .flag(let flag): try value.encode(flag)
        case .integer(let integer): try value.encode(integer)
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .list(let list): try value.encode(list)
        case .object(let members): try value.encode(members)
        }
    }

    /// On one line, members by name.
    func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
