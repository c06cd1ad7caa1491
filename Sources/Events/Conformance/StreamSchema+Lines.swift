// SPDX-License-Identifier: Apache-2.0
import EventLines
import EventLog

/// The schema of lines about no track, and of the lines of a connection.
extension StreamSchema {
    static let source = Members(
        [.pipeline, .state],
        [.state: name, .attempt: count, .retryDelay: count, .reason: name, .error: nonEmptyText])

    static let detector = operational.with(Members([.pipeline, .detector], [.detector: nonEmptyText]))

    private static let operational = Members(
        [.kind, .operational],
        [.kind: kind, .operational: .bool, .model: .text(.any), .reason: .text(.any)])

    static let config = Members(
        anyOf: [[.revision, .changed], [.error]],
        [.revision: .count(from: 1), .changed: .list(.text(.any)), .kept: .alwaysTrue, .error: nonEmptyText])

    static let explain = Members(
        [.pipeline, .frame, .detector, .untracked, .ended], absent: [.sequence],
        [
            .frame: .defined("frame"), .detector: nonEmptyText,
            .gate: .object(
                Members(
                    [.unchanged, .cause],
                    [
                        .unchanged: .count(from: 1), .cause: name, .key: .text(.any), .box: .defined("box"),
                        .excess: count,
                        .limit: count, .limitMilliseconds: count,
                    ])),
            .untracked: .list(
                .object(
                    Members(
                        [.box, .cause],
                        [
                            .box: .map(number), .confidence: number, .cause: name, .key: name,
                            .limit: .number(NumberRange(least: 0)), .limitMilliseconds: count, .hits: .count(from: 1),
                            .reads: count, .overlap: ratio,
                        ]))),
            .ended: .list(
                .object(
                    Members(
                        [.box, .rule],
                        [
                            .track: nonEmptyText, .box: .defined("box"), .rule: name, .unseen: count,
                            .limitMilliseconds: count,
                            .missedRuns: count, .hits: .count(from: 1), .reads: count, .limit: count,
                        ]))),
            .omitted: .count(from: 1), .coalesced: .count(from: 1),
        ])

    static let search = Members(
        [.pipeline, .frame, .detector, .kind, .state], needs: [.box: .nbox, .nbox: .box],
        [
            .frame: .defined("frame"), .detector: nonEmptyText, .kind: kind, .state: name, .progress: ratio,
            .search: nonEmptyText, .crop: nonEmptyText, .track: .object(Members([.id], [.id: nonEmptyText])),
            .box: .defined("box"),
            .nbox: .defined("nbox"), .barcode: .defined("barcode"), .object: .defined("labelled"), .outcome: name,
            .results: .list(
                .object(
                    Members(
                        [.id, .title, .confidence],
                        [
                            .id: nonEmptyText, .title: .text(.any), .confidence: ratio, .picture: nonEmptyText,
                            .payload: .any,
                        ]))),
            .omitted: .count(from: 1), .reason: name, .retryable: .bool, .error: nonEmptyText,
            .hint: .object(Members([.code, .text], [.code: name, .text: nonEmptyText, .help: nonEmptyText])),
            .quality: .object(
                Members(
                    [.brightness, .contrast, .sharpness],
                    [.brightness: ratio, .contrast: ratio, .sharpness: ratio])),
        ])

    static let snapshot = Members(
        [.pipeline, .frame, .rule, .file, .width, .height, .bytes],
        needs: [.detector: .id, .kind: .detector, .id: .kind],
        [
            .frame: .defined("frame"), .detector: nonEmptyText, .kind: kind, .id: nonEmptyText, .rule: name,
            .file: nonEmptyText,
            .width: .count(from: 1), .height: .count(from: 1), .bytes: .count(from: 1), .score: ratio,
            .confidence: ratio,
        ])

    static let frame = Members(
        [.pipeline, .time, .clock, .frame, .detector, .kind, .count, .inView, .missing], absent: [.sequence],
        [
            .frame: .defined("frame"), .detector: nonEmptyText, .kind: kind, .count: count, .inView: count,
            .missing: count, .coalesced: .count(from: 1),
        ])

    static let hello = Members(
        [.server, .runID, .nextSequence, .pipelines],
        [
            .server: .text(.any), .nextSequence: .count(from: 1),
            .journal: .object(Members([.first, .last], [.first: count, .last: count])),
            .pipelines: .list(
                .object(
                    Members(
                        [.name, .state, .detectors],
                        [
                            .name: .text(.any), .state: name, .reason: name,
                            .detectors: .list(
                                .object(Members([.name], [.name: .text(.any)]).with(operational))),
                            .zones: .list(nonEmptyText, count: 1...Int.max),
                            .lines: .list(
                                .object(
                                    Members(
                                        [.name, .crossedIn, .crossedOut],
                                        [.name: nonEmptyText, .crossedIn: count, .crossedOut: count])),
                                count: 1...Int.max),
                        ]))),
        ])

    static let state = Members(
        [.asOf, .tracks],
        [
            .asOf: count, .more: .alwaysTrue, .tracks: .list(.defined("live_track")),
            .searches: .list(.defined("live_search"), count: 1...Int.max),
        ])

    static let gap = Members(
        [.reason], needs: [.from: .to, .to: .from],
        [.from: count, .to: count, .lost: .map(count), .reason: name])
}
