// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Observations

extension FieldName {
    /// The name of a line to cross, and the beginning of a request that an `error` line answers.
    package static var line: FieldName { FieldName("line") }
    package static var direction: FieldName { FieldName("direction") }
    package static var crossedIn: FieldName { FieldName("in") }
    package static var crossedOut: FieldName { FieldName("out") }
}

extension EventEncoder {
    /// Encodes the line without totals; `LineTotals` adds them.
    mutating func encode(_ event: LineEvent) -> EncodedEvent {
        let track = event.track
        let body = write(.line, track.frame.time, track.frame.clock) { json, _ in
            track.frame.encode(to: &json)
            json.member(.detector, track.detector)
            json.member(.kind, track.track.kind.rawValue)
            json.object(.track) { $0.member(.id, track.track.id.description) }
            json.member(.line, event.line)
            json.member(.direction, event.direction.rawValue)
        }
        return EncodedEvent(
            kind: .line, detector: track.detector, feature: track.track.kind, track: track.track.id.number, body: body)
    }
}
