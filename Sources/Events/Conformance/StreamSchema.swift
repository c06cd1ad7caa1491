// SPDX-License-Identifier: Apache-2.0
import EventLines
import EventLog

/// The schema of event stream version 1: the members of each line type and their shapes. This is the only definition:
/// lines are checked against it, and `docs/events.schema.json` is generated from it.
package enum StreamSchema {
    /// The types of the log's lines, in the order of the document.
    private static let kinds: [EncodedEvent.Kind] = [
        .detected, .update, .missing, .completed, .zone, .line, .search, .snapshot, .clip, .frame, .source, .detector,
        .explain,
        .config,
    ]

    /// The types of lines that are in no log and have no sequence number.
    static let unnumberedTypes = Set(
        EncodedEvent.Kind.allCases.filter { !$0.request.isEmpty }.map(\.name)
            + ConnectionLineType.allCases.map(\.rawValue))

    /// The types in the order of the document.
    package static let types = kinds.map(\.name) + ConnectionLineType.allCases.map(\.rawValue)

    /// The requirements on a line of this type; for an unknown type, the requirements on every line.
    package static func members(ofType type: String) -> Members { lines[type] ?? envelope }

    package static let lines: [String: Members] = Dictionary(
        uniqueKeysWithValues: types.map { ($0, envelope.with(own(type: $0))) })

    /// The requirements on a line of this type in addition to the envelope.
    static func own(type: String) -> Members {
        if let kind = EncodedEvent.Kind(name: type) { return own(kind) }
        return ConnectionLineType(rawValue: type).map(own) ?? Members()
    }

    private static func own(_ kind: EncodedEvent.Kind) -> Members {
        switch kind {
        case .detected, .update: present
        case .missing: missing
        case .completed: completed
        case .zone: zone
        case .line: line
        case .search: search
        case .snapshot: snapshot
        case .clip: clip
        case .frame: frame
        case .source: source
        case .detector: detector
        case .explain: explain
        case .config: config
        }
    }

    private static func own(_ type: ConnectionLineType) -> Members {
        switch type {
        case .hello: hello
        case .state: state
        case .gap: gap
        case .ping: Members([], [.echo: .text(.any)])
        case .error: Members([.reason], [.reason: nonEmptyText, .line: .text(.any)])
        }
    }

    static let envelope = Members(
        [.version, .type, .time, .clock], needs: [.sequence: .runID, .tags: .pipeline],
        [
            .version: .oneOf([1]), .type: name, .sequence: count, .runID: nonEmptyText, .pipeline: nonEmptyText,
            .tags: .map(.text(.any)),
            .time: time, .clock: name,
        ])

    /// The shape with this name in the schema.
    static func definition(_ name: String) -> Shape {
        guard let shape = definitions[name] else { preconditionFailure("\(name) is not defined") }
        return shape
    }

    package static let definitions: [String: Shape] = Dictionary(
        values.map { ($0.key, $0.value) } + items.map { ($0.key, $0.value) }
            + barcodeValues.map { ($0.key, .object($0.value)) }
    ) { first, _ in first }

    /// The names of the definitions in the order of the document.
    static let definitionOrder = values.map(\.key) + items.map(\.key) + barcodeValues.map(\.key)

    // MARK: Values

    static let name = Shape.defined("name")
    static let kind = Shape.defined("kind")
    static let nonEmptyText = Shape.defined("non_empty_text")
    static let time = Shape.defined("time")
    static let count = Shape.defined("count")
    static let ratio = Shape.defined("ratio")
    static let number = Shape.number(.all)

    private static let values: KeyValuePairs<String, Shape> = [
        "name": .text(.name), "kind": .text(.kind), "non_empty_text": .text(.nonEmpty), "time": .text(.time),
        "count": .count(from: 0),
        "ratio": .number(.ratio), "non_empty_texts": .list(nonEmptyText, count: 1...Int.max),
    ]

    /// Descriptions for definitions that need one.
    static let descriptions = [
        "name": "Enumerations are open: values outside the listed names may occur.",
        "kind":
            "face, barcode, object, scene, or the kind of another detector. The member of this name describes the feature.",
        "time": "RFC 3339, UTC, nanoseconds.",
        "box": "Pixels of the upright picture, origin top left, clipped to it.",
        "nbox": "The box in fractions of the picture's width and height.",
        "euler": "Degrees.",
        "barcode": "Without a format the symbol was located but not read.",
        "live_track": "The newest line of a live track, without v, type, seq and run_id.",
        "live_search": "The newest line of a live search, without v, type, seq and run_id.",
        "missing_line": "The box is a prediction; it is absent if the prediction lies outside the picture.",
        "explain_line":
            "The reasons why detections of a frame are in no track line, and why tracks ended in the frame. Boxes of "
            + "detections are the detector's, "
            + "even where they are impossible.",
        "search_line": "The state of a pipeline's live search: each change of the state, and progress and hints "
            + "within one.",
        "snapshot_line": "A completely written picture: of a track, or by command of a frame.",
        "clip_line":
            "A clip of encoded video is complete. The times are those of the first frame and of the end.",
        "frame_line":
            "A detector has processed a frame: the numbers of detections, of tracks seen and of tracks "
            + "missing.",
        "line_line": "A track has crossed a line. `in` and `out` are the crossings since the run began.",
        "zone_line": "A track has entered a zone, dwells in it, or has left it.",
    ]
}
