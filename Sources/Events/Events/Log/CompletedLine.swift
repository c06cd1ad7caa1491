import Observations

/// Writes the `completed` line of a track whose worker cannot write it any more, out of the track's own lines.
///
/// Members are copied as they stand, so nothing that the worker knew is lost, whatever a later version adds to an item. The order is that
/// of `TrackEvent`'s encoder; a test holds the two together.
enum CompletedLine {
    /// - Parameters:
    ///   - sighting: the newest line with a real position.
    ///   - newest: the track's newest line.
    ///   - frame: the pipeline's newest line with a frame.
    /// - Returns: nil when the lines are not what our encoder writes.
    static func event(
        sighting: EncodedEvent, newest: EncodedEvent, frame: EncodedEvent, reason: CompletionReason
    ) -> EncodedEvent? {
        guard let seen = JSONMembers(sighting.body[...]), let last = JSONMembers(newest.body[...]),
            let context = JSONMembers(frame.body[...]), let track = last.members("track"),
            let kind = seen.text("kind").flatMap(FeatureKind.init), let hits = track["hits"]
        else { return nil }
        var json = JSONWriter(reservingCapacity: sighting.body.count * 2)
        json.object { json in
            json.member("type", EncodedEvent.Kind.completed.name)
            json.copyHead(of: last, at: context)
            json.copy("track", from: last)
            json.copy("box", from: seen)
            json.copy("nbox", from: seen)
            json.copy("corners", from: seen)
            json.copy("count", from: last)
            json.copy("zones", from: last)
            json.member("reason", reason.rawValue)
            if let first = track.text("first_seen").flatMap(Timestamp.init(rfc3339:)),
                let last = track.text("last_seen").flatMap(Timestamp.init(rfc3339:))
            {
                json.member("duration_ms", last.milliseconds(since: first))
            }
            json.key("frames")
            json.element(raw: hits)
            let item = seen.item(of: kind) ?? Array("{}".utf8)[...]
            json.key("last")
            json.element(raw: item)
            // As in the encoder: an item too large to stand twice in a line stands in `last` alone.
            if json.count + item.count + 256 <= EventEncoder.maximumLineBytes {
                json.element(rawKey: kind)
                json.element(raw: item)
            }
        }
        return EncodedEvent(
            kind: .completed, detector: newest.detector, feature: kind, track: newest.track,
            body: Array(json.bytes.dropFirst()))
    }
}

extension JSONMembers {
    fileprivate func item(of kind: FeatureKind) -> ArraySlice<UInt8>? {
        switch kind {
        case .face: self["face"]
        case .barcode: self["barcode"]
        case .object: self["object"]
        case .scene: self["scene"]
        }
    }
}

extension JSONWriter {
    /// What comes first in every line about a detector.
    mutating func copyHead(of track: JSONMembers, at context: JSONMembers) {
        copy("pipeline", from: track)
        copy("tags", from: track)
        copy("time", from: context)
        copy("clock", from: context)
        copy("frame", from: context)
        copy("detector", from: track)
        copy("kind", from: track)
    }

    /// A member as it stands; nothing where there is none.
    mutating func copy(_ key: StaticString, from members: JSONMembers) {
        guard let value = members[key] else { return }
        self.key(key)
        element(raw: value)
    }

    fileprivate mutating func element(rawKey kind: FeatureKind) {
        switch kind {
        case .face: key("face")
        case .barcode: key("barcode")
        case .object: key("object")
        case .scene: key("scene")
        }
    }
}

extension Timestamp {
    /// What the encoder prints: whole milliseconds, rounded towards zero; 0 for times that no clock can give.
    fileprivate func milliseconds(since earlier: Timestamp) -> Int64 {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return overflow ? 0 : difference / 1_000_000
    }
}
