// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Observations

extension FieldName {
    package static var zone: FieldName { FieldName("zone") }
    package static var dwell: FieldName { FieldName("dwell_ms") }
}

extension ZoneEvent {
    /// The value of `state` in a `zone` line.
    package enum State: String, Sendable {
        case entered, dwelling, left
    }
}

extension EventEncoder {
    mutating func encode(_ event: ZoneEvent) -> EncodedEvent {
        let track = event.track
        let body = write(.zone, track.frame.time, track.frame.clock) { json, _ in event.encode(to: &json) }
        return EncodedEvent(
            kind: .zone, detector: track.detector, feature: track.track.kind, track: track.track.id.number, body: body)
    }
}

extension ZoneEvent {
    /// Writes the members of a `zone` line after the envelope.
    fileprivate func encode(to json: inout JSONWriter) {
        track.frame.encode(to: &json)
        json.member(.detector, track.detector)
        json.member(.kind, track.track.kind.rawValue)
        json.object(.track) { $0.member(.id, track.track.id.description) }
        json.member(.zone, zone)
        switch change {
        case .entered: json.member(.state, State.entered.rawValue)
        case .dwelling(let time):
            json.member(.state, State.dwelling.rawValue)
            json.member(.dwell, time / 1_000_000)
        case .left(let time):
            json.member(.state, State.left.rawValue)
            json.member(.dwell, time / 1_000_000)
        }
    }
}
