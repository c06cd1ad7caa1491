// SPDX-License-Identifier: Apache-2.0
import EventLines
import Observations

/// The schema of lines about tracks.
extension StreamSchema {
    static let aboutATrack = Members(
        [.pipeline, .time, .clock, .frame, .detector, .kind, .track, .count],
        needs: [.box: .nbox, .nbox: .box],
        [
            .frame: .defined("frame"), .detector: nonEmptyText, .kind: kind, .track: track(missing: count),
            .box: .defined("box"), .nbox: .defined("nbox"), .predicted: .alwaysTrue,
            .corners: .list(.defined("point"), count: 4...4), .velocity: .defined("point"),
            .smoothedBox: .defined("box"), .confidence: ratio, .weak: .alwaysTrue, .count: count,
            .coalesced: .count(from: 1), .zones: .list(nonEmptyText, count: 1...Int.max),
        ]
    ).with(items(of: FeatureKind.builtIn)).with(Members([], [.stages: .map(count), .reused: .alwaysTrue]))

    /// The shape of a kind's item: a face's or a barcode's own, else labels.
    private static func item(of kind: FeatureKind) -> Shape {
        switch kind {
        case .face, .barcode: .defined(kind.rawValue)
        default: .defined("labelled")
        }
    }

    private static func name(of kind: FeatureKind) -> FieldName {
        guard let name = FieldName.item(of: kind) else { preconditionFailure("\(kind) is not built in") }
        return name
    }

    private static func items(of kinds: [FeatureKind]) -> Members {
        kinds.reduce(Members()) { $0.with(Members([], [name(of: $1): item(of: $1)])) }
    }

    static let present = aboutATrack.with(
        Members(
            [.box, .nbox], absent: [.predicted], [.track: track(missing: .oneOf([0]))],
            rules: FeatureKind.builtIn.map { kind in
                Self.kind([kind], Members(kind == .barcode ? [.barcode, .corners] : [name(of: kind)]))
            }))

    static let missing = aboutATrack.with(Members([.predicted], [.track: track(missing: .count(from: 1))]))

    static let completed = aboutATrack.with(
        Members(
            [.box, .nbox, .reason, .duration, .frames, .last],
            [
                .reason: name, .duration: .integer, .frames: .count(from: 1), .last: .map(.any),
                .best: .object(
                    Members(
                        [.time, .snapshot],
                        [.time: time, .confidence: ratio, .score: ratio, .snapshot: nonEmptyText])),
            ],
            rules: [[.face], [.barcode], FeatureKind.builtIn.filter { $0 != .face && $0 != .barcode }].map { kinds in
                kind(kinds, Members([], [.last: item(of: kinds[0])]))
            }))

    static let zone = Members(
        [.pipeline, .frame, .detector, .kind, .track, .zone, .state],
        [
            .frame: .defined("frame"), .detector: nonEmptyText, .kind: kind,
            .track: .object(Members([.id], [.id: nonEmptyText])),
            .zone: nonEmptyText, .state: name, .dwell: count,
        ],
        rules: [.init(.member(.state, is: [ZoneEvent.State.dwelling.rawValue]), then: Members([.dwell]))])

    static let line = Members(
        [.pipeline, .frame, .detector, .kind, .track, .line, .direction],
        needs: [.crossedIn: .crossedOut, .crossedOut: .crossedIn],
        [
            .frame: .defined("frame"), .detector: nonEmptyText, .kind: kind,
            .track: .object(Members([.id], [.id: nonEmptyText])), .line: nonEmptyText, .direction: name,
            .crossedIn: count, .crossedOut: count,
        ])

    private static func kind(_ kinds: [FeatureKind], _ members: Members) -> Members.Rule {
        .init(.member(.kind, is: kinds.map(\.rawValue)), then: members)
    }

    private static func track(missing: Shape) -> Shape {
        .object(
            Members(
                [.id, .ageFrames, .hits, .missingFrames, .firstSeen, .lastSeen],
                [
                    .id: nonEmptyText, .ageFrames: .count(from: 1), .hits: .count(from: 1), .missingFrames: missing,
                    .firstSeen: time, .lastSeen: time, .previousID: .defined("previous_id"), .focus: .alwaysTrue,
                ]))
    }

    // MARK: Items

    static let items: KeyValuePairs<String, Shape> = [
        "frame": .object(
            Members(
                [.epoch, .sequence, .presentationTime, .width, .height, .rotation, .mirrored],
                [
                    .epoch: .count(from: 1), .sequence: .count(from: 1), .presentationTime: .integer,
                    .width: .count(from: 1),
                    .height: .count(from: 1), .rotation: .oneOf([0, 90, 180, 270]), .mirrored: .bool,
                ])),
        "previous_id": .object(Members([.id, .score], [.id: .text(.any), .score: ratio])),
        "point": .object(point),
        "box": .object(
            Members(
                [.x, .y, .w, .h],
                [
                    .x: .number(NumberRange(least: 0)), .y: .number(NumberRange(least: 0)),
                    .w: .number(NumberRange(above: 0)), .h: .number(NumberRange(above: 0)),
                ])),
        "nbox": .object(Members([.x, .y, .w, .h], [.x: ratio, .y: ratio, .w: ratio, .h: ratio])),
        "landmark": .object(point.with(Members([], [.interpolated: .alwaysTrue]))),
        "euler": .object(Members([], [.x: number, .y: number, .z: number])),
        "face": .object(
            Members(
                [],
                [
                    .landmarks: .map(.defined("landmark")), .euler: .defined("euler"), .smiling: ratio,
                    .leftEyeOpen: ratio, .rightEyeOpen: ratio,
                ])),
        "labelled": .object(
            Members(
                [.labels],
                [
                    .labels: .list(.defined("label")), .category: name, .prominent: .alwaysTrue,
                    .incomplete: .alwaysTrue,
                ])),
        "label": .object(
            Members(
                [.text, .index, .confidence], [.text: .text(.any), .index: .integer, .confidence: ratio])),
        "barcode": .object(barcode),
        "live_track": .object(aboutATrack), "live_search": .object(search.with(Members([.time, .clock]))),
    ]

    private static let point = Members([.x, .y], [.x: number, .y: number])
}
