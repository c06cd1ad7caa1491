// SPDX-License-Identifier: Apache-2.0
import JSONLines

extension FieldName {
    package static var operational: FieldName { FieldName("operational") }
    package static var model: FieldName { FieldName("model") }
}

extension EventEncoder {
    mutating func encode(_ event: DetectorEvent) -> EncodedEvent {
        let body = write(.detector, event.time, event.clock) { json, _ in event.encode(to: &json) }
        return EncodedEvent(kind: .detector, detector: event.detector, feature: event.kind, body: body)
    }
}

extension DetectorEvent {
    /// Writes the members of a `detector` line after the envelope.
    fileprivate func encode(to json: inout JSONWriter) {
        json.member(.detector, detector)
        json.member(.kind, kind.rawValue)
        json.member(.operational, operational)
        if let model { json.member(.model, model) }
        if let reason { json.member(.reason, reason.cut(toUTF8: EventEncoder.maximumTextBytes)) }
    }
}
