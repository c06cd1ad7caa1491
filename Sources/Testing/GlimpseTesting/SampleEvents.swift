// SPDX-License-Identifier: Apache-2.0
import EventLines
import Observations
import Search

/// Events as a worker writes them, for tests of the later stages.
package struct SampleEvents: Sendable {
    package let identity: PipelineIdentity
    package var epoch: UInt64 = 1
    private var encoder: EventEncoder

    package init(pipeline: String = "door", tags: [String: String] = [:]) {
        identity = PipelineIdentity(name: pipeline, tags: tags)
        encoder = EventEncoder(pipeline: identity)
    }

    package mutating func track(
        _ phase: TrackPhase, _ kind: FeatureKind = .face, id: UInt64, frame: UInt64 = 1, text: String = "4006381333931"
    ) -> EncodedEvent {
        encoder.encode(.track(Self.trackEvent(phase, kind, id: id, frame: frame, epoch: epoch, text: text)))
    }

    package mutating func source(_ state: SourceEvent.State, error: String? = nil) -> EncodedEvent {
        encoder.encode(.source(SourceEvent(state: state, time: .epoch, clock: .file, error: error)))
    }

    package mutating func detector(_ name: String, operational: Bool, reason: String? = nil) -> EncodedEvent {
        encoder.encode(
            .detector(
                DetectorEvent(
                    detector: name, kind: .face, operational: operational, reason: reason, time: .epoch, clock: .file)))
    }

    /// The line of a processed frame.
    package mutating func frame(
        _ frame: UInt64, _ kind: FeatureKind = .face, count: Int = 0, inView: Int = 0, missing: Int = 0
    ) -> EncodedEvent {
        let info = Self.trackEvent(.update, kind, id: 1, frame: frame, epoch: epoch).frame
        return encoder.encode(
            .frame(
                FrameEvent(
                    detector: kind.rawValue, kind: kind, frame: info, count: count, inView: inView, missing: missing)))
    }

    /// The line that says why a detection in a frame is not tracked.
    package mutating func explanation(_ frame: UInt64, _ kind: FeatureKind = .face) -> EncodedEvent {
        let event = Self.trackEvent(.update, kind, id: 1, frame: frame, epoch: epoch)
        var explanation = Explanation()
        explanation.add(Explanation.Untracked(box: event.track.box, confidence: 0.5, cause: .outOfFocus))
        return encoder.encode(
            .explain(ExplainEvent(detector: kind.rawValue, frame: event.frame, explanation: explanation)))
    }

    /// The line of a live search. With `query`, it contains an object and a picture.
    package mutating func search(
        _ state: SearchState, _ kind: FeatureKind = .object, id: UInt64 = 7, frame: UInt64 = 1, query: String? = nil,
        crop: String? = nil, outcome: SearchOutcome? = nil
    ) -> EncodedEvent {
        let seen = Self.trackEvent(.update, kind, id: id, frame: frame, epoch: epoch)
        var status = SearchStatus(state: state, frame: seen.frame)
        (status.query, status.crop, status.outcome) = (query, crop, outcome)
        if query != nil { (status.track, status.detection) = (TrackID(id), seen.track.detection) }
        return encoder.encode(.search(SearchEvent(detector: kind.rawValue, kind: kind, status: status)))
    }

    /// The line of a track's best picture.
    package mutating func snapshot(
        _ file: String, _ kind: FeatureKind = .face, id: UInt64, frame: UInt64 = 1, bytes: Int
    ) -> EncodedEvent {
        let seen = Self.trackEvent(.update, kind, id: id, frame: frame, epoch: epoch)
        return encoder.encode(
            .snapshot(
                SnapshotEvent(
                    detector: kind.rawValue, kind: kind, track: TrackID(id), rule: .best, frame: seen.frame, file: file,
                    width: 80, height: 90, bytes: bytes)))
    }

    /// The lines of a track that enters a zone, dwells in it and leaves it.
    package mutating func zoneLines(_ zone: String = "desk", id: UInt64, frame: UInt64 = 1) -> [EncodedEvent] {
        let changes: [ZoneEvent.Change] = [.entered, .dwelling(for: 2_500_000_000), .left(after: 3_000_999_999)]
        return changes.map { change in
            encoder.encode(
                .zone(
                    ZoneEvent(
                        zone: zone, change: change,
                        track: Self.trackEvent(.update, id: id, frame: frame, epoch: epoch))))
        }
    }

    /// A track crosses a line; the worker's line, without totals.
    package mutating func crossing(
        _ direction: CrossingLine.Direction, _ line: String = "door", id: UInt64 = 7, frame: UInt64 = 1
    ) -> EncodedEvent {
        let track = Self.trackEvent(.update, id: id, frame: frame, epoch: epoch)
        return encoder.encode(.line(LineEvent(line: line, direction: direction, track: track)))
    }

    package static func trackEvent(
        _ phase: TrackPhase, _ kind: FeatureKind = .face, id: UInt64, frame: UInt64, epoch: UInt64 = 1,
        text: String = "4006381333931"
    ) -> TrackEvent {
        let time = Int64(frame) * 33_333_333
        let info = FrameInfo(
            epoch: epoch, sequence: frame, presentationTime: time, time: Timestamp(nanoseconds: time), clock: .file,
            width: 1280, height: 720)
        let box = Box(x: 100.5 + Float(frame), y: 50, width: 80, height: 90.25)
        let detection = Detection(box: box, confidence: 0.875, content: content(kind, text: text))
        let isMissing = phase == .missing
        let track = Track(
            id: TrackID(id), kind: kind, ageFrames: Int(frame) + 1, hits: Int(frame),
            reads: kind == .barcode ? Int(frame) : 0, missingFrames: isMissing ? 1 : 0,
            firstSeen: .epoch, lastSeen: info.time, box: isMissing ? box.grown(byX: 5, y: 5) : box,
            isPredicted: isMissing, velocity: Point(x: 3, y: -1.5), detection: detection, isWeak: false, hasFocus: true)
        return TrackEvent(phase: phase, detector: kind.rawValue, frame: info, track: track, count: 2)
    }

    private static func content(_ kind: FeatureKind, text: String) -> Detection.Content {
        let label = Label(text: "cup \"1\"", index: 41, confidence: 0.5)
        return switch kind {
        case .face:
            .face(Face(landmarks: [.init(name: .leftEye, position: Point(x: 120, y: 70))], euler: .init(z: 4.5)))
        case .barcode:
            .barcode(
                Barcode(
                    format: .ean13, raw: text, bytes: Array(text.utf8), addOn: "02",
                    corners: Quadrilateral(
                        topLeft: Point(x: 1, y: 2), topRight: Point(x: 3, y: 2), bottomRight: Point(x: 3, y: 4),
                        bottomLeft: Point(x: 1, y: 4))))
        case .object: .object(ObjectLabels(labels: [label]))
        case .scene: .scene(SceneLabels(labels: [label]))
        case .custom: .custom(.sample(kind, ["value": text, "colour": "red \"1\""]))
        }
    }
}

extension FeatureKind {
    /// A kind that is not built in.
    package static let plate = FeatureKind(rawValue: "plate") ?? .face
    package static let samples = builtIn + [plate]
}

extension CustomFeature {
    /// - Precondition: `kind` is not built in, and the attributes are short.
    package static func sample(_ kind: FeatureKind, _ attributes: [String: String]) -> CustomFeature {
        guard let feature = try? CustomFeature(kind: kind, attributes: attributes) else {
            preconditionFailure("no feature of kind \(kind)")
        }
        return feature
    }
}
