// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Observations

/// A completed track, parsed from its `completed` line. Its contents are redacted like that line.
package struct CompletedTrack: Sendable, Equatable {
    package var pipeline: String
    package var detector: String
    package var kind: FeatureKind
    package var id: String
    package var firstSeen: Timestamp
    package var lastSeen: Timestamp
    package var milliseconds: Int64
    /// The number of frames with a detection.
    package var frames: Int64
    package var reason: String
    /// A barcode's `raw` (or `display`), the first label of an object or scene, or the `value` of another kind. nil if
    /// the value is redacted or absent.
    package var value: String?
    /// The last item and the best frame as JSON.
    package var last: [UInt8]
    package var best: [UInt8]?

    /// The path of the picture in `best`.
    package var picture: String? { best.flatMap { JSONMembers($0[...])?.string(.snapshot) } }

    package init(
        pipeline: String, detector: String, kind: FeatureKind, id: String, firstSeen: Timestamp, lastSeen: Timestamp,
        milliseconds: Int64, frames: Int64, reason: String, value: String?, last: [UInt8], best: [UInt8]?
    ) {
        self.pipeline = pipeline
        self.detector = detector
        self.kind = kind
        self.id = id
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.milliseconds = milliseconds
        self.frames = frames
        self.reason = reason
        self.value = value
        self.last = last
        self.best = best
    }

    /// - Returns: nil for any other line.
    package init?(_ event: EncodedEvent) {
        guard event.kind == .completed, let kind = event.feature, let line = JSONMembers(event.body[...]),
            let track = line.members(.track), let pipeline = line.string(.pipeline), let id = track.text(.id),
            let first = track.text(.firstSeen).flatMap(Timestamp.init(rfc3339:)),
            let last = track.text(.lastSeen).flatMap(Timestamp.init(rfc3339:)), let reason = line.text(.reason),
            let item = line[.last]
        else { return nil }
        self.kind = kind
        self.id = id
        self.pipeline = pipeline
        self.reason = reason
        detector = event.detector
        (firstSeen, lastSeen) = (first, last)
        milliseconds = line.integer(.duration) ?? 0
        frames = line.integer(.frames) ?? 0
        self.last = Array(item)
        best = line[.best].map(Array.init)
        value = JSONMembers(item)?.name(of: kind)
    }
}

extension JSONMembers {
    /// The name of an item of this kind: a barcode's `raw` (or `display`), the first label, or `value`.
    func name(of kind: FeatureKind) -> String? {
        if kind == .barcode { return string(.raw) ?? string(.display) }
        if !kind.isBuiltIn { return string(.value) }
        return self[.labels].flatMap { Self.elements($0).first }.flatMap(JSONMembers.init)?.string(.text)
    }

    package func integer(_ name: FieldName) -> Int64? {
        self[name].flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
    }
}
