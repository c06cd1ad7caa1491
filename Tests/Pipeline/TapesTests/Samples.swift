// SPDX-License-Identifier: Apache-2.0
import EventLines
import GlimpseTesting
import Observations
import Pipelines
import Search
import Tracking

@testable import Tapes

/// Records of every kind. No property has its default value.
enum Samples {
    static let frame = FrameInfo(
        epoch: 3, sequence: 1 << 40, presentationTime: -5, time: Timestamp(nanoseconds: 1_785_432_000_000_000_123),
        clock: .ntp, width: 1920, height: 1080, rotation: 270, mirrored: true)

    static let face = Face(
        landmarks: [
            .init(name: .leftEye, position: Point(x: 1.5, y: -2)),
            .init(name: .mouthRight, position: Point(x: 0, y: .infinity), interpolated: true),
        ], euler: .init(x: 1, y: nil, z: -0.1), smiling: 0.25, leftEyeOpen: nil, rightEyeOpen: 1)

    static let barcode = Barcode(
        format: .microPDF417, raw: "größe\u{0}", bytes: Array("größe\u{0}".utf8), addOn: "52595",
        corners: Quadrilateral(
            topLeft: Point(x: 1, y: 2), topRight: Point(x: 3, y: 4), bottomRight: Point(x: 5, y: 6),
            bottomLeft: Point(x: 7, y: 8)), orientation: -12.5, symbologyIdentifier: "]L1",
        errorCorrectionLevel: "Q", mirrored: true, inverted: true, isFollowed: true,
        evidenceFrames: 7)

    static let plate = CustomFeature.sample(.plate, ["value": "AB 123", "état": "\u{1}\"/"])

    static var detections: [Detection] {
        var (binary, located) = (barcode, barcode)
        (binary.raw, binary.bytes) = ("other than its bytes", [0, 255, 128])
        (located.format, located.raw, located.bytes) = (nil, nil, [])
        let labels = [Label(text: "cup \"1\"", index: -41, confidence: 0.5)]
        let contents: [Detection.Content] = [
            .face(face), .face(Face()), .barcode(barcode), .barcode(binary), .barcode(located),
            .object(ObjectLabels(labels: labels)), .scene(SceneLabels(labels: labels)),
            .custom(plate),
        ]
        return contents.enumerated().map { index, content in
            Detection(
                box: Box(x: Float(index), y: -0.0, width: .leastNonzeroMagnitude, height: 3e38),
                confidence: index % 2 == 0 ? nil : 0.75, content: content)
        }
    }

    static let causes: [Explanation.Untracked.Cause] = [
        .invalid, .belowLow(limit: 0.1), .belowBirth(limit: 0.2), .suppressed(overlap: 0.3), .capacity(limit: 4),
        .tentative(hits: 1, limit: 2), .outOfFocus, .unconfirmed(reads: 1, limit: 3), .cooldown(limit: 1.5), .sameValue,
        .notAllowed, .denied, .undecoded, .belowMinSize(limit: 0.075),
    ]

    static let zone = Zone(
        name: "Tür", polygon: [Point(x: 0, y: 0), Point(x: 1, y: 0.1), Point(x: 0.3, y: 1)],
        kinds: [.face, .scene, .plate],
        anchor: .bottom, hysteresis: 0.125, dwell: 5_000_000_000)

    static let line = CrossingLine(
        name: "Tür", from: Point(x: 0, y: 0.1), to: Point(x: 1, y: 0.3), anchor: .centre, hysteresis: 0.125,
        kinds: [.face, .plate], labels: ["cup", "\u{1}"])

    static let rules: TrackerConfiguration = {
        var rules = TrackerConfiguration.erratic.untracked
        (rules.hits, rules.gap, rules.capacity, rules.completeHits) = (7, .frames(limit: 9), 11, 13)
        (rules.low, rules.high, rules.birth, rules.certainScore) = (0.11, 0.22, 0.33, 0.44)
        (rules.tightOverlap, rules.wideOverlap) = (0.55, 0.66)
        (rules.uncertaintyGain, rules.bufferLimit, rules.bufferRate, rules.longestStep) = (1.25, 2.25, 3.25, 4.25)
        rules.heightModulation.toggle()
        rules.cameraShift.toggle()
        (rules.payloads.identity, rules.payloads.confirmation, rules.payloads.cooldown) = (.value, .reads(3), 5.5)
        (rules.faces.isSmoothed, rules.faces.hold) = (false, 6.5)
        rules.confusables = [["cup", "Tasse"], []]
        (rules.reentry, rules.smoothedBox, rules.reportLimit, rules.marksProminent) = (7.5, true, 2, true)
        return rules
    }()

    static var inputs: [LaneInput] {
        let withheld = causes.map { Explanation.Untracked(box: barcode.corners.box, confidence: 0.5, cause: $0) }
        return [
            .status(DetectorStatus(detector: "face", kind: .face, isOperational: false)),
            .status(
                DetectorStatus(
                    detector: "face", kind: .scene, isOperational: true, model: "m", reason: "r", frame: frame)),
            .results(DetectionResults(detector: "face", frame: frame, detections: detections), withheld: withheld),
            .results(
                DetectionResults(detector: "face", frame: frame, detections: [], detectorIsOperational: false),
                withheld: []),
            .opened(GateOpening(unchanged: 14, cause: .change(box: barcode.corners.box, excess: 99, limit: 48)), frame),
            .opened(GateOpening(unchanged: 1, cause: .refresh(limit: 0.25)), frame),
            .opened(GateOpening(unchanged: 2, cause: .track), frame),
            .opened(GateOpening(unchanged: 3, cause: .reset), frame), .unchanged(frame),
            .failed(frame), .focus(nil), .focus(TrackID(.max)), .rules(rules, maximumRate: 2.5),
            .rules(.scene, maximumRate: 0), .zones([]), .zones([zone]), .lines([]), .lines([line]),
            .complete(.payloadChanged),
            .pictured(
                SnapshotEvent(
                    detector: "face", kind: .face, track: TrackID(9), rule: .best, frame: frame, file: "/p/ä.jpg",
                    width: 3,
                    height: 4, bytes: 5, score: 0.5, confidence: 0.25)),
            .pictured(
                SnapshotEvent(
                    detector: "face", kind: .scene, track: TrackID(1), rule: .detected, frame: frame, file: "",
                    width: 0,
                    height: 0, bytes: 0)),
        ] + searchInputs.map { .search($0) }
    }

    static let searchInputs: [SearchInput] = [
        .command(.search), .command(.dismiss), .command(.retry), .command(.select(TrackID(.max))),
        .command(.attend(true)), .command(.attend(false)),
        .command(.answer(query: "1.2", .results([]))),
        .report(.answered(query: "größe", .results([result, SearchResult(id: "", title: "", confidence: 0)]))),
        .report(.answered(query: "", .failed(failure))),
        .command(.answer(query: "3", .failed(SearchFailure(.crop, retryable: false)))),
        .report(.cropped(query: "1.3", path: "/state/1.3.jpg")), .quality(quality),
    ]
    static let result = SearchResult(
        id: "41", title: "größe", confidence: 0.25, picture: "/p.jpg", payload: #"{"a":1}"#)
    static let failure = SearchFailure(.network, retryable: true, message: "no route")
    static let quality = PictureQuality(brightness: 0.5, contrast: 0.25, sharpness: 0.125)

    static var records: [TapeRecord] {
        inputs.enumerated().map { .lane(1, $1, time: Timestamp(nanoseconds: Int64($0) - 2)) } + [
            .source(SourceInput(state: .lost, frame: frame, error: "gone"), time: Timestamp(nanoseconds: .min)),
            .source(SourceInput(state: .connecting), time: Timestamp(nanoseconds: .max)),
        ]
    }

    static let header = TapeHeader(
        clock: .arrival, configuration: "name = \"door\"\n", firstTrack: TrackID(7), explains: true,
        lanes: ["barcode", "face"])
}

extension Quadrilateral {
    fileprivate var box: Box { Box(around: points) ?? Box(x: 0, y: 0, width: 1, height: 1) }
}

/// Writes a tape and reads it.
struct TapeMaker {
    let scope = TestScope(inMemory: true)
    var path: String { scope.path("tape") }

    /// The bytes of a tape of these records, the end included.
    static func bytes(_ records: [TapeRecord], header: TapeHeader = Samples.header) -> [UInt8] {
        var bytes = TapeFormat.magic
        TapeFormat.append(to: &bytes) { header.put(to: &$0) }
        for record in records + [.end] { TapeFormat.append(to: &bytes) { record.put(to: &$0) } }
        return bytes
    }

    /// The records of a tape of these bytes.
    func read(_ bytes: [UInt8]) throws -> (records: [TapeRecord], ending: TapeReader.Ending?) {
        scope.write("tape", bytes: bytes)
        var reader = try TapeReader(path)
        var records: [TapeRecord] = []
        while let record = try reader.next() { records.append(record) }
        return (records, reader.ending)
    }
}
