// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Observations

extension FieldName {
    package static var revision: FieldName { FieldName("revision") }
    package static var changed: FieldName { FieldName("changed") }
    package static var kept: FieldName { FieldName("kept") }
}

extension ConfigEvent {
    /// The `config` line, which is about no pipeline.
    package var encoded: EncodedEvent {
        var json = JSONWriter()
        json.object { json in
            json.member(.type, EncodedEvent.Kind.config.name)
            json.member(.time, time.rfc3339)
            json.member(.clock, ClockSource.arrival.rawValue)
            json.member(.revision, revision)
            if let changed {
                // A line has at most 64 KiB, so it lists at most the first 500 names of up to 64 bytes.
                json.array(.changed) { json in for name in changed.prefix(500) { json.element(name) } }
            } else {
                json.member(.kept, true)
            }
            if let error { json.member(.error, error.cut(toUTF8: EventEncoder.maximumTextBytes)) }
        }
        return EncodedEvent(kind: .config, body: Array(json.bytes.dropFirst()))
    }
}
