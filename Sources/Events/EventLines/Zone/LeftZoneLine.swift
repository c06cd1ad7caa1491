// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Observations

/// Writes the `zone` lines with which a track leaves its zones, when its worker can no longer write them, from the
/// track's own lines. The dwell times are unknown here.
package enum LeftZoneLine {
    /// - Parameters:
    ///   - newest: the track's newest line.
    ///   - frame: the pipeline's newest line with a frame.
    package static func events(newest: EncodedEvent, frame: EncodedEvent) -> [EncodedEvent] {
        guard let last = JSONMembers(newest.body[...]), let context = JSONMembers(frame.body[...]),
            let zones = last[.zones]
        else { return [] }
        // The limit holds for any list that a broken worker sends.
        return JSONMembers.elements(zones).prefix(Zone.most).map { zone in
            var json = JSONWriter(reservingCapacity: 512)
            json.object { json in
                json.member(.type, EncodedEvent.Kind.zone.name)
                json.copyHead(of: last, at: context)
                json.object(.track) { $0.member(.id, newest.track.description) }
                json.key(.zone)
                json.element(raw: zone)
                json.member(.state, ZoneEvent.State.left.rawValue)
            }
            return EncodedEvent(
                kind: .zone, detector: newest.detector, feature: newest.feature, track: newest.track,
                body: Array(json.bytes.dropFirst()))
        }
    }
}
