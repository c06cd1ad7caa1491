import JSONLines
import Observations

/// Writes the `zone` lines with which a track leaves its zones, where its worker cannot write them any more, out of the track's own lines.
/// For how long it was in them is not known here.
package enum LeftZoneLine {
    /// - Parameters:
    ///   - newest: the track's newest line.
    ///   - frame: the pipeline's newest line with a frame.
    package static func events(newest: EncodedEvent, frame: EncodedEvent) -> [EncodedEvent] {
        guard let last = JSONMembers(newest.body[...]), let context = JSONMembers(frame.body[...]),
            let zones = last[.zones]
        else { return [] }
        // Whatever a worker that has run wild put there.
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
