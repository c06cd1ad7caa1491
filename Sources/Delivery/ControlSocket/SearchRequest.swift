// SPDX-License-Identifier: Apache-2.0
import Observations
import Search

/// The object of `result`: a subscriber's answer to a search.
struct SearchAnswerForm: Decodable {
    private struct Result: Decodable {
        var id: String
        var title: String?
        var confidence: Double?
        var picture: String?
        var payload: JSONText?
    }

    let answer: SearchAnswer

    private enum CodingKeys: String, CodingKey {
        case results, error, retryable
    }

    init(from decoder: any Decoder) throws {
        let form = try decoder.container(keyedBy: CodingKeys.self)
        func wrong(_ problem: String) -> ControlRequest.Invalid { .init(reason: "result.\(problem)") }
        if form.contains(.error) {
            guard !form.contains(.results) else { throw wrong("results: not allowed together with error") }
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
            throw wrong("results: expected at most \(SearchLimits.results) results, not \(results.count)")
        }
        answer = .results(
            try results.map { result in
                let confidence = result.confidence ?? 1
                guard (0...1).contains(confidence) else { throw wrong("results: expected a confidence from 0 to 1") }
                guard !result.id.isEmpty, result.id.utf8.count <= SearchLimits.textBytes,
                    (result.title ?? "").utf8.count <= SearchLimits.textBytes
                else { throw wrong("results: an id and a title have at most \(SearchLimits.textBytes) bytes") }
                guard (result.picture ?? "").utf8.count <= SearchLimits.pictureBytes else {
                    throw wrong("results: a picture's name has at most \(SearchLimits.pictureBytes) bytes")
                }
                let payload = result.payload?.text
                guard (payload ?? "").utf8.count <= SearchLimits.payloadBytes else {
                    throw wrong("results: a payload has at most \(SearchLimits.payloadBytes) bytes")
                }
                return SearchResult(
                    id: result.id, title: result.title ?? result.id, confidence: Float(confidence),
                    picture: result.picture, payload: payload)
            })
    }
}
