// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Observations

extension FieldName {
    package static var inView: FieldName { FieldName("in_view") }
    package static var missing: FieldName { FieldName("missing") }
}

extension EventEncoder {
    mutating func encode(_ event: FrameEvent) -> EncodedEvent {
        let body = write(.frame, event.frame.time, event.frame.clock) { json, _ in event.encode(to: &json) }
        return EncodedEvent(kind: .frame, detector: event.detector, feature: event.kind, body: body)
    }
}

extension FrameEvent {
    /// Writes the members of a `frame` line after the envelope.
    fileprivate func encode(to json: inout JSONWriter) {
        frame.encode(to: &json)
        json.member(.detector, detector)
        json.member(.kind, kind.rawValue)
        json.member(.count, count)
        json.member(.inView, inView)
        json.member(.missing, missing)
    }
}
