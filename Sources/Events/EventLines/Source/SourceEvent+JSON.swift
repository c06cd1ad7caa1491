// SPDX-License-Identifier: Apache-2.0
import JSONLines

extension FieldName {
    package static var attempt: FieldName { FieldName("attempt") }
    package static var retryDelay: FieldName { FieldName("retry_ms") }
}

extension EventEncoder {
    mutating func encode(_ event: SourceEvent) -> EncodedEvent {
        let body = write(.source, event.time, event.clock) { json, _ in event.encode(to: &json) }
        return EncodedEvent(kind: .source, body: body)
    }
}

extension SourceEvent {
    /// Writes the members of a `source` line after the envelope.
    fileprivate func encode(to json: inout JSONWriter) {
        json.member(.state, state.rawValue)
        if let attempt { json.member(.attempt, attempt) }
        if let retryMilliseconds { json.member(.retryDelay, retryMilliseconds) }
        if let reason { json.member(.reason, reason) }
        if let error { json.member(.error, error.cut(toUTF8: EventEncoder.maximumTextBytes)) }
    }
}
