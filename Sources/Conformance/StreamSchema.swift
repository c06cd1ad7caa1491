/// The line types of event stream version 1: `docs/events.schema.json` as far as it is checked here, which is all of it but the insides of
/// barcodes' typed values and what depends on another member's value. A test holds the two together.
package enum StreamSchema {
    /// Lines of a connection itself: they have no sequence number.
    static let connectionTypes: Set<String> = ["hello", "state", "gap", "ping", "error"]

    /// What a line of this type has to be; of a type that is not known, what every line is.
    package static func members(ofType type: String) -> Members { lines[type] ?? envelope }

    package static let lines: [String: Members] = [
        "detected": present, "update": present, "missing": missing, "completed": completed,
        "source": Members(
            ["pipeline", "state"],
            ["state": name, "attempt": count, "retry_ms": count, "error": said, "reason": name]),
        "detector": detector.with(Members(["pipeline", "detector"], ["detector": said])),
        "explain": explain,
        "snapshot": snapshot,
        "search": search,
        "config": Members(
            anyOf: [["revision", "changed"], ["error"]],
            ["revision": .count(from: 1), "changed": .list(.text(.any)), "kept": .yes, "error": said]),
        "hello": hello,
        "state": Members(
            ["as_of", "tracks"],
            ["as_of": count, "more": .yes, "tracks": .list(.object(aboutATrack))]),
        "gap": Members(
            ["reason"], needs: ["from": "to", "to": "from"],
            ["from": count, "to": count, "lost": .map(count), "reason": name]),
        "ping": Members([], ["echo": .text(.any)]),
        "error": Members(["reason"], ["reason": said, "line": .text(.any)]),
    ].mapValues(envelope.with)

    static let envelope = Members(
        ["v", "type", "time", "clock"], needs: ["seq": "run_id", "tags": "pipeline"],
        [
            "v": .oneOf([1]), "type": name, "time": time, "clock": name, "seq": count, "run_id": said, "pipeline": said,
            "tags": .map(.text(.any)),
        ])

    // MARK: Tracks

    private static let aboutATrack = Members(
        ["pipeline", "time", "clock", "frame", "detector", "kind", "track", "count"],
        needs: ["box": "nbox", "nbox": "box"],
        [
            "frame": frame, "detector": said, "kind": name, "track": track(missing: count), "box": .object(box),
            "nbox": .object(Members(["x", "y", "w", "h"], ["x": ratio, "y": ratio, "w": ratio, "h": ratio])),
            "corners": .list(.object(point), count: 4...4), "count": count, "velocity": .object(point),
            "smoothed_box": .object(box), "confidence": ratio, "weak": .yes, "coalesced": .count(from: 1),
            "predicted": .yes, "face": face, "barcode": barcode, "object": labelled, "scene": labelled,
            "zones": .list(.text(.any)), "stages_us": .map(count),
        ])

    private static let present = aboutATrack.with(
        Members(["box", "nbox"], absent: ["predicted"], ["track": track(missing: .oneOf([0]))]))
    private static let missing = aboutATrack.with(Members(["predicted"], ["track": track(missing: .count(from: 1))]))
    private static let completed = aboutATrack.with(
        Members(
            ["box", "nbox", "reason", "duration_ms", "frames", "last"],
            [
                "reason": name, "duration_ms": .integer, "frames": .count(from: 1), "last": .map(.any),
                "best": .object(
                    Members(
                        ["time", "snapshot"],
                        ["time": time, "confidence": ratio, "score": ratio, "snapshot": said])),
            ]))

    private static func track(missing: Shape) -> Shape {
        .object(
            Members(
                ["id", "age_frames", "hits", "missing_frames", "first_seen", "last_seen"],
                [
                    "id": said, "age_frames": .count(from: 1), "hits": .count(from: 1), "missing_frames": missing,
                    "first_seen": time, "last_seen": time, "focus": .yes,
                    "previous_id": .object(Members(["id", "score"], ["id": .text(.any), "score": ratio])),
                ]))
    }

    private static let frame = Shape.object(
        Members(
            ["epoch", "seq", "pts_ns", "width", "height", "rotation", "mirrored"],
            [
                "epoch": .count(from: 1), "seq": .count(from: 1), "pts_ns": .integer, "width": .count(from: 1),
                "height": .count(from: 1), "rotation": .oneOf([0, 90, 180, 270]), "mirrored": .bool,
            ]))

    // MARK: Items

    private static let face = Shape.object(
        Members(
            [],
            [
                "landmarks": .map(.object(point.with(Members([], ["interpolated": .yes])))),
                "euler": .object(Members([], ["x": number, "y": number, "z": number])), "smiling": ratio,
                "left_eye_open": ratio, "right_eye_open": ratio,
            ]))

    /// The typed values, each under its own name.
    package static let typedValues = [
        "contact", "email", "phone", "sms", "url", "wifi", "geo", "calendar_event", "driver_license", "gs1", "otp",
        "payment", "boarding_pass",
    ]

    private static let barcode = Shape.object(
        Members(
            ["orientation"],
            [
                "format": name, "raw": .text(.any), "raw_base64": .text(.base64), "raw_bytes": count,
                "raw_sha256": .text(.sha256), "display": .text(.any), "truncated": .yes,
                "redacted": .list(said, count: 1...Int.max), "value_format": name, "reads": count,
                "orientation": .number(NumberRange(least: -180, most: 180)), "symbology_id": .text(.any),
                "ec_level": .text(.any), "mirrored": .yes, "inverted": .yes, "followed": .yes,
            ]
        ).with(Members([], Dictionary(uniqueKeysWithValues: typedValues.map { ($0, .map(.any)) }))))

    private static let labelled = Shape.object(
        Members(
            ["labels"],
            [
                "labels": .list(
                    .object(
                        Members(
                            ["text", "index", "confidence"],
                            ["text": .text(.any), "index": .integer, "confidence": ratio]))),
                "category": name, "prominent": .yes, "incomplete": .yes,
            ]))

    // MARK: Other lines

    private static let explain = Members(
        ["pipeline", "frame", "detector", "untracked", "ended"],
        [
            "frame": frame, "detector": said, "omitted": .count(from: 1),
            "untracked": .list(
                .object(
                    Members(
                        ["box", "cause"],
                        [
                            "box": .map(number), "confidence": number, "cause": name, "key": name,
                            "limit": .number(NumberRange(least: 0)), "limit_ms": count, "hits": .count(from: 1),
                            "reads": count, "overlap": ratio,
                        ]))),
            "ended": .list(
                .object(
                    Members(
                        ["box", "rule"],
                        [
                            "track": said, "box": .object(box), "rule": name, "unseen_ms": count, "limit_ms": count,
                            "missed_runs": count, "hits": .count(from: 1), "reads": count, "limit": count,
                        ]))),
        ])

    private static let search = Members(
        ["pipeline", "frame", "detector", "kind", "state"], needs: ["box": "nbox", "nbox": "box"],
        [
            "frame": frame, "detector": said, "kind": name, "state": name, "progress": ratio, "search": said,
            "crop": said, "track": .object(Members(["id"], ["id": said])), "box": .object(box),
            "nbox": .object(Members(["x", "y", "w", "h"], ["x": ratio, "y": ratio, "w": ratio, "h": ratio])),
            "barcode": barcode, "object": labelled, "outcome": name,
            "results": .list(
                .object(
                    Members(
                        ["id", "title", "confidence"],
                        ["id": said, "title": .text(.any), "confidence": ratio, "picture": said, "payload": .any]))),
            "omitted": .count(from: 1), "reason": name, "retryable": .bool, "error": said,
            "hint": .object(Members(["code", "text"], ["code": name, "text": said])),
            "quality": .object(
                Members(
                    ["brightness", "contrast", "sharpness"],
                    ["brightness": ratio, "contrast": ratio, "sharpness": ratio])),
        ])

    private static let snapshot = Members(
        ["pipeline", "frame", "detector", "kind", "id", "rule", "file", "width", "height", "bytes"],
        [
            "frame": frame, "detector": said, "kind": name, "id": said, "rule": name, "file": said,
            "width": .count(from: 1), "height": .count(from: 1), "bytes": .count(from: 1), "score": ratio,
            "confidence": ratio,
        ])

    private static let detector = Members(
        ["kind", "operational"],
        ["kind": name, "operational": .bool, "model": .text(.any), "reason": .text(.any)])

    private static let hello = Members(
        ["server", "run_id", "next_seq", "pipelines"],
        [
            "server": .text(.any), "next_seq": .count(from: 1),
            "journal": .object(Members(["first", "last"], ["first": count, "last": count])),
            "pipelines": .list(
                .object(
                    Members(
                        ["name", "state", "detectors"],
                        [
                            "name": .text(.any), "state": name, "reason": name,
                            "detectors": .list(.object(detector.with(Members(["name"], ["name": .text(.any)])))),
                        ]))),
        ])

    // MARK: Values

    private static let name = Shape.text(.name)
    private static let said = Shape.text(.nonEmpty)
    private static let time = Shape.text(.time)
    private static let count = Shape.count(from: 0)
    private static let number = Shape.number(.all)
    private static let ratio = Shape.number(.ratio)
    private static let point = Members(["x", "y"], ["x": number, "y": number])
    private static let box = Members(
        ["x", "y", "w", "h"],
        [
            "x": .number(NumberRange(least: 0)), "y": .number(NumberRange(least: 0)),
            "w": .number(NumberRange(above: 0)), "h": .number(NumberRange(above: 0)),
        ])
}
