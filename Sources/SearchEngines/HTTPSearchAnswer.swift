import FoundationEssentials
import Search

/// What a server has to answer: `{"results": [{"id":, "title"?:, "confidence":, "picture"?:, "payload"?:}]}`. What else is in it is left alone.
enum HTTPSearchAnswer {
    /// - Throws: `.response` for whatever is not of that form.
    static func results(_ body: [UInt8]) throws(SearchFailure) -> [SearchResult] {
        do {
            let results = try JSONDecoder().decode(Answer.self, from: Data(body)).results.map(\.result)
            return Array(results.sorted { $0.confidence > $1.confidence }.prefix(SearchLimits.results))
        } catch DecodingError.dataCorrupted(let context) {
            throw malformed(context, otherwise: "the answer is not JSON")
        } catch DecodingError.keyNotFound(let key, let context) {
            throw malformed(context, otherwise: "the answer has no \"\(key.stringValue)\"", key: key)
        } catch DecodingError.typeMismatch(_, let context) {
            throw malformed(context, otherwise: "the answer is no JSON object")
        } catch DecodingError.valueNotFound(_, let context) {
            throw malformed(context, otherwise: "the answer is no JSON object")
        } catch {
            throw SearchFailure(.response, retryable: true, message: "the answer is not JSON")
        }
    }

    private static func malformed(
        _ context: DecodingError.Context, otherwise: String, key: (any CodingKey)? = nil
    ) -> SearchFailure {
        let path = (context.codingPath + (key.map { [$0] } ?? [])).map(\.stringValue)
        let place = path.joined(separator: ".")
        return SearchFailure(
            .response, retryable: true,
            message: place.isEmpty ? otherwise : "the answer's \(place) is missing or wrong")
    }

    private struct Answer: Decodable {
        var results: [Entry]
    }

    private struct Entry: Decodable {
        var result: SearchResult

        private enum Key: String, CodingKey {
            case id, title, confidence, picture, payload
        }

        init(from decoder: any Decoder) throws {
            let entry = try decoder.container(keyedBy: Key.self)
            func text(_ key: Key, _ limit: Int) throws -> String? {
                guard let text = try entry.decodeIfPresent(String.self, forKey: key) else { return nil }
                guard text.utf8.count <= limit else {
                    throw DecodingError.dataCorruptedError(forKey: key, in: entry, debugDescription: "too long")
                }
                return text
            }
            guard let id = try text(.id, SearchLimits.textBytes), !id.isEmpty else {
                throw DecodingError.dataCorruptedError(forKey: .id, in: entry, debugDescription: "missing")
            }
            let confidence = try entry.decode(Float.self, forKey: .confidence)
            guard (0...1).contains(confidence) else {
                throw DecodingError.dataCorruptedError(forKey: .confidence, in: entry, debugDescription: "not 0...1")
            }
            let title = try text(.title, SearchLimits.textBytes)
            result = SearchResult(
                id: id, title: title ?? id, confidence: confidence,
                picture: try text(.picture, SearchLimits.pictureBytes))
            guard let value = try entry.decodeIfPresent(JSONValue.self, forKey: .payload) else { return }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let payload = try encoder.encode(value)
            guard payload.count <= SearchLimits.payloadBytes else {
                throw DecodingError.dataCorruptedError(forKey: .payload, in: entry, debugDescription: "too long")
            }
            result.payload = String(decoding: payload, as: UTF8.self)
        }
    }
}

/// Any JSON value, to be written again.
private enum JSONValue: Codable {
    case null
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

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
}
