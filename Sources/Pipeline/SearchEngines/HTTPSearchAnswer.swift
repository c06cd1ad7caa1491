// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Observations
import Search

/// The required form of an answer: `{"results": [{"id":, "title"?:, "confidence":, "picture"?:, "payload"?:}]}`. Other
/// members are ignored.
enum HTTPSearchAnswer {
    /// - Throws: `.response` for an answer in any other form.
    static func results(_ body: [UInt8]) throws(SearchFailure) -> [SearchResult] {
        do {
            let results = try JSONDecoder().decode(Answer.self, from: Data(body)).results.map(\.result)
            return Array(results.sorted { $0.confidence > $1.confidence }.prefix(SearchLimits.results))
        } catch DecodingError.dataCorrupted(let context) {
            throw malformed(context, otherwise: "the answer is not JSON")
        } catch DecodingError.keyNotFound(let key, let context) {
            throw malformed(context, otherwise: "the answer has no \"\(key.stringValue)\"", key: key)
        } catch DecodingError.typeMismatch(_, let context) {
            throw malformed(context, otherwise: "the answer is not a JSON object")
        } catch DecodingError.valueNotFound(_, let context) {
            throw malformed(context, otherwise: "the answer is not a JSON object")
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
            result.payload = try entry.decodeIfPresent(JSONText.self, forKey: .payload)?.text
            guard (result.payload ?? "").utf8.count <= SearchLimits.payloadBytes else {
                throw DecodingError.dataCorruptedError(forKey: .payload, in: entry, debugDescription: "too long")
            }
        }
    }
}
