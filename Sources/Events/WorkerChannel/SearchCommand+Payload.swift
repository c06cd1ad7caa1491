// SPDX-License-Identifier: Apache-2.0
import BinaryFormat
import Observations
import Search

/// The payload of a search command is its name and then its values. Texts and 64-bit integers are encoded as in every
/// payload.
extension SearchCommand {
    func appendPayload(to bytes: inout [UInt8]) {
        switch self {
        case .search: bytes.append(string: "search")
        case .dismiss: bytes.append(string: "dismiss")
        case .retry: bytes.append(string: "retry")
        case .select(let track):
            bytes.append(string: "select")
            bytes.append(integer: track.number)
        case .attend(let isAttended):
            bytes.append(string: "attend")
            bytes.append(isAttended ? 1 : 0)
        case .answer(let query, .failed(let failure)):
            bytes.append(string: "failure")
            bytes.append(string: query)
            bytes.append(string: failure.reason.rawValue)
            bytes.append(failure.retryable ? 1 : 0)
            bytes.append(string: failure.message ?? "")
        case .answer(let query, .results(let results)):
            bytes.append(string: "results")
            bytes.append(string: query)
            for result in results {
                bytes.append(string: result.id)
                bytes.append(string: result.title)
                bytes.append(integer: UInt64(result.confidence.bitPattern))
                bytes.append(string: result.picture ?? "")
                bytes.append(string: result.payload ?? "")
            }
        }
    }

    init?(_ reader: inout PayloadReader) {
        switch reader.string() {
        case "search": self = .search
        case "dismiss": self = .dismiss
        case "retry": self = .retry
        case "select":
            guard let track = reader.integer() else { return nil }
            self = .select(TrackID(track))
        case "attend":
            guard let flag = reader.byte(), flag <= 1 else { return nil }
            self = .attend(flag == 1)
        case "failure":
            guard let query = reader.string(), let reason = reader.string().flatMap(SearchFailure.Reason.init),
                let flag = reader.byte(), flag <= 1, let message = reader.string()
            else { return nil }
            let failure = SearchFailure(reason, retryable: flag == 1, message: message.isEmpty ? nil : message)
            self = .answer(query: query, .failed(failure))
        case "results":
            guard let query = reader.string() else { return nil }
            var results: [SearchResult] = []
            while !reader.isAtEnd {
                guard let id = reader.string(), let title = reader.string(),
                    let confidence = reader.integer().flatMap(UInt32.init(exactly:)), let picture = reader.string(),
                    let payload = reader.string()
                else { return nil }
                results.append(
                    SearchResult(
                        id: id, title: title, confidence: Float(bitPattern: confidence),
                        picture: picture.isEmpty ? nil : picture, payload: payload.isEmpty ? nil : payload))
            }
            self = .answer(query: query, .results(results))
        default: return nil
        }
        guard reader.isAtEnd else { return nil }
    }
}
