import JSONLines
import Observations
import Search

/// A live search that was answered or failed, out of its `searched` or `search_failed` line, with which it shares what is redacted.
package struct FinishedSearch: Sendable, Equatable {
    package var pipeline: String
    package var detector: String
    package var kind: FeatureKind
    /// The track's id.
    package var track: String
    /// The search's own id.
    package var id: String
    /// Of the frame with which it was over.
    package var time: Timestamp
    /// `results`, `value`, `no_results`, `low_confidence`, `failed`.
    package var outcome: String
    /// What was searched: a barcode's `raw` (or `display`), an object's first label; nil where nothing may be shown, or there is none.
    package var value: String?
    /// What was searched, as JSON.
    package var object: [UInt8]
    /// What came of it, as a JSON object: `results`, how many there are, and the `best` of them; or `reason`, `retryable` and `error`.
    package var answer: [UInt8]
    /// The object's picture.
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

    /// - Returns: nil for other lines, those of a session's other states among them.
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

    /// Of the best result.
    package var title: String? { best?.string(.title) }
    package var confidence: String? { best?[.confidence].map { String(decoding: $0, as: UTF8.self) } }
    /// Of a failure.
    package var reason: String? { JSONMembers(answer[...])?.text(.reason) }
}
