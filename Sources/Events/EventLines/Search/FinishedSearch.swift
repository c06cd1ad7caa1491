// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Observations
import Search

/// A live search that was answered or failed, parsed from its `searched` or `search_failed` line. Its contents are
/// redacted like that line.
package struct FinishedSearch: Sendable, Equatable {
    package var pipeline: String
    package var detector: String
    package var kind: FeatureKind
    /// The id of the track.
    package var track: String
    /// The id of the search.
    package var id: String
    /// The time of the frame at which the search ended.
    package var time: Timestamp
    /// `results`, `value`, `no_results`, `low_confidence`, `failed`.
    package var outcome: String
    /// The searched value: a barcode's `raw` (or `display`), or an object's first label. nil if it is redacted or
    /// absent.
    package var value: String?
    /// The searched object as JSON.
    package var object: [UInt8]
    /// The answer as a JSON object: `results` (the number of results) and `best` (the best of them), or `reason`,
    /// `retryable` and `error`.
    package var answer: [UInt8]
    /// The path of the object's picture.
    package var crop: String?

    package init(
        pipeline: String, detector: String, kind: FeatureKind, track: String, id: String, time: Timestamp,
        outcome: String, value: String?, object: [UInt8], answer: [UInt8]
    ) {
        self.pipeline = pipeline
        self.detector = detector
        self.kind = kind
        self.track = track
        self.id = id
        self.time = time
        self.outcome = outcome
        self.value = value
        self.object = object
        self.answer = answer
    }

    /// - Returns: nil for any other line, such as another state of the session.
    package init?(_ event: EncodedEvent) {
        guard event.kind == .search, let kind = event.feature, let line = JSONMembers(event.body[...]),
            let state = line.text(.state),
            state == SearchState.searched.rawValue || state == SearchState.searchFailed.rawValue,
            let pipeline = line.string(.pipeline), let id = line.string(.search), let outcome = line.text(.outcome),
            let time = line.text(.time).flatMap(Timestamp.init(rfc3339:))
        else { return nil }
        let object = (kind == .barcode ? line[.barcode] : line[.object]) ?? []
        self.init(
            pipeline: pipeline, detector: event.detector, kind: kind, track: line.members(.track)?.text(.id) ?? "",
            id: id, time: time, outcome: outcome, value: JSONMembers(object)?.name(of: kind), object: Array(object),
            answer: Self.answer(line))
        crop = line.string(.crop)
    }

    private static func answer(_ line: JSONMembers) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: 256)
        json.object { json in
            if let results = line[.results].map(JSONMembers.elements), let best = results.first {
                json.member(.results, results.count)
                json.key(.best)
                json.element(raw: best)
            }
            for name: FieldName in [.reason, .retryable, .error] { json.copy(name, from: line) }
        }
        return json.bytes
    }

    private var best: JSONMembers? { JSONMembers(answer[...])?.members(.best) }

    /// The title of the best result.
    package var title: String? { best?.string(.title) }
    package var confidence: String? { best?[.confidence].map { String(decoding: $0, as: UTF8.self) } }
    /// The reason of a failure.
    package var reason: String? { JSONMembers(answer[...])?.text(.reason) }
}
