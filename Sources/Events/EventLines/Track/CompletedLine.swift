// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Observations

/// Writes the `completed` line of a track whose worker can no longer write it, from the track's own lines.
///
/// Members are copied unchanged, so all information from the worker is kept, including members that a later version
/// adds to an item. The order of members is that of `TrackEvent`'s encoder; a test compares the two.
package enum CompletedLine {
    /// - Parameters:
    ///   - sighting: the newest line with a real position.
    ///   - newest: the track's newest line.
    ///   - frame: the pipeline's newest line with a frame.
    /// - Returns: nil if this version's encoder cannot have written the lines.
    package static func event(
        sighting: EncodedEvent, newest: EncodedEvent, frame: EncodedEvent, reason: CompletionReason
    ) -> EncodedEvent? {
        guard let seen = JSONMembers(sighting.body[...]), let last = JSONMembers(newest.body[...]),
            let context = JSONMembers(frame.body[...]), let track = last.members(.track),
            let kind = seen.text(.kind).flatMap(FeatureKind.init), let hits = track[.hits]
        else { return nil }
        var json = JSONWriter(reservingCapacity: sighting.body.count * 2)
        json.object { json in
            json.member(.type, EncodedEvent.Kind.completed.name)
            json.copyHead(of: last, at: context)
            json.copy(.track, from: last)
            json.copy(.box, from: seen)
            json.copy(.nbox, from: seen)
            json.copy(.corners, from: seen)
            json.copy(.count, from: last)
            json.copy(.zones, from: last)
            json.member(.reason, reason.rawValue)
            if let first = track.text(.firstSeen).flatMap(Timestamp.init(rfc3339:)),
                let last = track.text(.lastSeen).flatMap(Timestamp.init(rfc3339:))
            {
                json.member(.duration, last.milliseconds(since: first))
            }
            json.key(.frames)
            json.element(raw: hits)
            let item = seen.item(of: kind) ?? Array("{}".utf8)[...]
            json.key(.last)
            json.element(raw: item)
            // As in the encoder, an item too large to appear twice in a line appears only in `last`.
            if json.count + item.count + EventEncoder.envelopeAllowance <= EventEncoder.maximumLineBytes {
                json.key(itemOf: kind)
                json.element(raw: item)
            }
        }
        return EncodedEvent(
            kind: .completed, detector: newest.detector, feature: kind, track: newest.track,
            body: Array(json.bytes.dropFirst()))
    }
}

extension Timestamp {
    /// The value that the encoder prints: whole milliseconds, rounded towards zero. The result is 0 for times that no
    /// clock can give.
    fileprivate func milliseconds(since earlier: Timestamp) -> Int64 {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return overflow ? 0 : difference / 1_000_000
    }
}
