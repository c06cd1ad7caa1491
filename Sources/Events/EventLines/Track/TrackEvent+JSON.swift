// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Observations

extension FieldName {
    package static var track: FieldName { FieldName("track") }
    package static var ageFrames: FieldName { FieldName("age_frames") }
    package static var missingFrames: FieldName { FieldName("missing_frames") }
    package static var firstSeen: FieldName { FieldName("first_seen") }
    package static var lastSeen: FieldName { FieldName("last_seen") }
    package static var previousID: FieldName { FieldName("previous_id") }
    package static var focus: FieldName { FieldName("focus") }
    package static var predicted: FieldName { FieldName("predicted") }
    package static var velocity: FieldName { FieldName("velocity") }
    package static var smoothedBox: FieldName { FieldName("smoothed_box") }
    package static var weak: FieldName { FieldName("weak") }
    package static var count: FieldName { FieldName("count") }
    package static var zones: FieldName { FieldName("zones") }
    package static var duration: FieldName { FieldName("duration_ms") }
    package static var frames: FieldName { FieldName("frames") }
    package static var last: FieldName { FieldName("last") }
    package static var best: FieldName { FieldName("best") }
}

extension EventEncoder {
    mutating func encode(_ event: TrackEvent) -> EncodedEvent {
        let kind: EncodedEvent.Kind =
            switch event.phase {
            case .detected: .detected
            case .update: .update
            case .missing: .missing
            case .completed: .completed
            }
        func isTooLong(_ bytes: [UInt8]) -> Bool { bytes.count + Self.envelopeAllowance > Self.maximumLineBytes }
        var bytes = body(kind, event, .full)
        // A large payload that would appear twice in `completed` appears only in `last`. A payload too large for one
        // appearance is cut.
        if isTooLong(bytes) { bytes = body(kind, event, .once) }
        if isTooLong(bytes) { bytes = body(kind, event, .cut) }
        let header = EventHeader(
            kind: kind, origin: origin(detector: event.detector, feature: event.track.kind),
            track: event.track.id.number, stages: event.stages)
        return EncodedEvent(header: header, body: bytes)
    }

    private mutating func body(_ kind: EncodedEvent.Kind, _ event: TrackEvent, _ item: TrackEvent.ItemDetail) -> [UInt8]
    {
        write(kind, event.frame.time, event.frame.clock) { json, barcodes in
            event.encode(to: &json, barcodes: &barcodes, item: item)
        }
    }
}

extension TrackEvent {
    /// The amount of the item that fits into a line.
    fileprivate enum ItemDetail {
        /// Twice in a `completed` line: as `last`, and under its kind as in every other line.
        case full
        /// Once, as `last` only.
        case once
        /// With a shortened payload.
        case cut
    }

    /// Writes the members of a track line after the envelope.
    fileprivate func encode(to json: inout JSONWriter, barcodes: inout BarcodeEncoder, item: ItemDetail) {
        frame.encode(to: &json)
        json.member(.detector, detector)
        json.member(.kind, track.kind.rawValue)
        encodeTrack(to: &json)
        encodePosition(to: &json)
        json.member(.count, count)
        if !zones.isEmpty { json.array(.zones) { json in for zone in zones { json.element(zone) } } }
        if case .completed(let reason) = phase {
            json.member(.reason, reason.rawValue)
            json.member(.duration, (track.lastSeen.nanoseconds &- track.firstSeen.nanoseconds) / 1_000_000)
            json.member(.frames, track.hits)
            json.key(.last)
            track.encodeItem(to: &json, barcodes: &barcodes, isCut: item == .cut)
            best?.encodeBest(to: &json)
        }
        if carriesItem(item) {
            json.key(itemOf: track.kind)
            track.encodeItem(to: &json, barcodes: &barcodes, isCut: item == .cut)
        }
    }

    /// A missing face has no current landmarks, but a barcode's content stays valid.
    private func carriesItem(_ item: ItemDetail) -> Bool {
        switch phase {
        case .detected, .update: true
        case .missing: track.kind != .face
        case .completed: item == .full
        }
    }

    private func encodeTrack(to json: inout JSONWriter) {
        json.object(.track) { json in
            json.member(.id, track.id.description)
            json.member(.ageFrames, track.ageFrames)
            json.member(.hits, track.hits)
            json.member(.missingFrames, track.missingFrames)
            json.member(.firstSeen, track.firstSeen)
            json.member(.lastSeen, track.lastSeen)
            if let previous = track.previous {
                json.object(.previousID) { json in
                    json.member(.id, previous.id.description)
                    json.member(.score, previous.score)
                }
            }
            if track.hasFocus { json.member(.focus, true) }
        }
    }

    private func encodePosition(to json: inout JSONWriter) {
        track.box.encode(in: frame, to: &json)
        if phase == .missing, track.isPredicted { json.member(.predicted, true) }
        if phase != .missing { track.detection.content.corners?.encode(to: &json) }
        guard phase == .detected || phase == .update else { return }
        if let velocity = track.velocity, velocity.isFinite {
            json.object(.velocity) { velocity.encode(to: &$0) }
        }
        if let smoothed = track.smoothedBox?.clipped(width: Float(frame.width), height: Float(frame.height)) {
            json.object(.smoothedBox) { smoothed.encode(to: &$0) }
        }
        if let confidence = track.detection.toldConfidence { json.member(.confidence, confidence) }
        if track.isWeak { json.member(.weak, true) }
    }
}
