/// Lines that are about no track, and those of a connection.
extension StreamSchema {
    static let source = Members(
        ["pipeline", "state"],
        ["state": name, "attempt": count, "retry_ms": count, "reason": name, "error": said])

    static let detector = operational.with(Members(["pipeline", "detector"], ["detector": said]))

    private static let operational = Members(
        ["kind", "operational"],
        ["kind": name, "operational": .bool, "model": .text(.any), "reason": .text(.any)])

    static let config = Members(
        anyOf: [["revision", "changed"], ["error"]],
        ["revision": .count(from: 1), "changed": .list(.text(.any)), "kept": .yes, "error": said])

    static let explain = Members(
        ["pipeline", "frame", "detector", "untracked", "ended"],
        [
            "frame": .defined("frame"), "detector": said,
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
                            "track": said, "box": .defined("box"), "rule": name, "unseen_ms": count, "limit_ms": count,
                            "missed_runs": count, "hits": .count(from: 1), "reads": count, "limit": count,
                        ]))),
            "omitted": .count(from: 1),
        ])

    static let search = Members(
        ["pipeline", "frame", "detector", "kind", "state"], needs: ["box": "nbox", "nbox": "box"],
        [
            "frame": .defined("frame"), "detector": said, "kind": name, "state": name, "progress": ratio,
            "search": said, "crop": said, "track": .object(Members(["id"], ["id": said])), "box": .defined("box"),
            "nbox": .defined("nbox"), "barcode": .defined("barcode"), "object": .defined("labelled"), "outcome": name,
            "results": .list(
                .object(
                    Members(
                        ["id", "title", "confidence"],
                        ["id": said, "title": .text(.any), "confidence": ratio, "picture": said, "payload": .any]))),
            "omitted": .count(from: 1), "reason": name, "retryable": .bool, "error": said,
            "hint": .object(Members(["code", "text"], ["code": name, "text": said, "help": said])),
            "quality": .object(
                Members(
                    ["brightness", "contrast", "sharpness"],
                    ["brightness": ratio, "contrast": ratio, "sharpness": ratio])),
        ])

    static let snapshot = Members(
        ["pipeline", "frame", "rule", "file", "width", "height", "bytes"],
        needs: ["detector": "id", "kind": "detector", "id": "kind"],
        [
            "frame": .defined("frame"), "detector": said, "kind": name, "id": said, "rule": name, "file": said,
            "width": .count(from: 1), "height": .count(from: 1), "bytes": .count(from: 1), "score": ratio,
            "confidence": ratio,
        ])

    static let frame = Members(
        ["pipeline", "time", "clock", "frame", "detector", "kind", "count", "in_view", "missing"], absent: ["seq"],
        [
            "frame": .defined("frame"), "detector": said, "kind": name, "count": count, "in_view": count,
            "missing": count, "coalesced": .count(from: 1),
        ])

    static let hello = Members(
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
                            "detectors": .list(
                                .object(Members(["name"], ["name": .text(.any)]).with(operational))),
                        ]))),
        ])

    static let state = Members(
        ["as_of", "tracks"],
        [
            "as_of": count, "more": .yes, "tracks": .list(.defined("live_track")),
            "searches": .list(.defined("live_search"), count: 1...Int.max),
        ])

    static let gap = Members(
        ["reason"], needs: ["from": "to", "to": "from"],
        ["from": count, "to": count, "lost": .map(count), "reason": name])
}
