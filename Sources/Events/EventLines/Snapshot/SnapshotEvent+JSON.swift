// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Observations

extension FieldName {
    package static var file: FieldName { FieldName("file") }
    package static var bytes: FieldName { FieldName("bytes") }
    package static var snapshot: FieldName { FieldName("snapshot") }
}

extension EventEncoder {
    mutating func encode(_ event: SnapshotEvent) -> EncodedEvent {
        let body = write(.snapshot, event.frame.time, event.frame.clock) { json, _ in event.encode(to: &json) }
        return EncodedEvent(
            kind: .snapshot, detector: event.detector, feature: event.kind, track: event.track.number, body: body)
    }
}

extension SnapshotEvent {
    /// Writes the members of a `snapshot` line after the envelope.
    fileprivate func encode(to json: inout JSONWriter) {
        frame.encode(to: &json)
        json.member(.detector, detector)
        json.member(.kind, kind.rawValue)
        json.member(.id, track.description)
        json.member(.rule, rule.rawValue)
        json.member(.file, file)
        json.member(.width, width)
        json.member(.height, height)
        json.member(.bytes, bytes)
        if let score { json.member(.score, score) }
        if let confidence { json.member(.confidence, confidence) }
    }

    /// Writes the value of `best` in a `completed` line.
    func encodeBest(to json: inout JSONWriter) {
        json.object(.best) { json in
            json.member(.time, frame.time)
            if let confidence { json.member(.confidence, confidence) }
            if let score { json.member(.score, score) }
            json.member(.snapshot, file)
        }
    }
}
