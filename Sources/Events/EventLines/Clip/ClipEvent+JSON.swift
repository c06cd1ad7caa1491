// SPDX-License-Identifier: Apache-2.0
import JSONLines

extension FieldName {
    package static var events: FieldName { FieldName("events") }
    package static var clipFrom: FieldName { FieldName("from") }
    package static var clipTo: FieldName { FieldName("to") }
    package static var reasons: FieldName { FieldName("reasons") }
    package static var recovered: FieldName { FieldName("recovered") }
}

extension EventEncoder {
    mutating func encode(_ event: ClipEvent) -> EncodedEvent {
        let body = write(.clip, event.to, event.clock) { json, _ in
            json.member(.file, event.file)
            json.member(.events, event.events)
            json.member(.clipFrom, event.from)
            json.member(.clipTo, event.to)
            json.member(.presentationTime, event.presentationTime)
            json.member(.frames, event.frames)
            json.member(.bytes, event.bytes)
            json.array(.reasons) { json in for reason in event.reasons { json.element(reason) } }
            if event.isRecovered { json.member(.recovered, true) }
        }
        return EncodedEvent(kind: .clip, body: body)
    }
}
