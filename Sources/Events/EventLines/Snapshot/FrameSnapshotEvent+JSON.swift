// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Observations

extension EventEncoder {
    mutating func encode(_ event: FrameSnapshotEvent) -> EncodedEvent {
        let body = write(.snapshot, event.frame.time, event.frame.clock) { json, _ in event.encode(to: &json) }
        return EncodedEvent(kind: .snapshot, body: body)
    }
}

extension FrameSnapshotEvent {
    /// Writes the members of a `snapshot` line after the envelope.
    fileprivate func encode(to json: inout JSONWriter) {
        frame.encode(to: &json)
        json.member(.rule, Self.rule)
        json.member(.file, file)
        json.member(.width, width)
        json.member(.height, height)
        json.member(.bytes, bytes)
    }
}
