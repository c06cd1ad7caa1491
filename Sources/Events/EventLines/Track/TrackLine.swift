// SPDX-License-Identifier: Apache-2.0
import JSONLines
import Observations

/// The members that filters read from a `detected` or `update` line. A member in another form than the encoder's reads
/// as absent.
package struct TrackLine {
    private let event: EncodedEvent

    package init(_ event: EncodedEvent) {
        self.event = event
    }

    package var confidence: Double? { number(JSONMembers.value(.confidence, in: event.body[...])) }

    /// The time in nanoseconds since the worker's first frame.
    package var presentationTime: Int64? {
        guard let frame = JSONMembers.value(.frame, in: event.body[...]) else { return nil }
        return JSONMembers.value(.presentationTime, in: frame).flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
    }

    /// The number of the worker's start that took the frame.
    package var epoch: UInt64? {
        guard let frame = JSONMembers.value(.frame, in: event.body[...]) else { return nil }
        return JSONMembers.value(.epoch, in: frame).flatMap { UInt64(String(decoding: $0, as: UTF8.self)) }
    }

    /// A barcode's `raw`, or the `value` of a kind that is not built in.
    package var value: String? {
        guard let kind = event.feature else { return nil }
        let name: FieldName = kind.isBuiltIn ? .raw : .value
        return item(of: kind).flatMap { JSONMembers.value(name, in: $0) }.flatMap(JSONMembers.string)
    }

    /// The texts of the item's labels; empty for kinds without labels.
    package var labels: [String] {
        guard let kind = event.feature, kind != .barcode,
            let item = item(of: kind),
            let labels = JSONMembers.value(.labels, in: item)
        else { return [] }
        return JSONMembers.elements(labels).compactMap { JSONMembers.value(.text, in: $0).flatMap(JSONMembers.string) }
    }

    /// The names of the track's current zones.
    package var zones: [String] {
        guard let zones = JSONMembers.value(.zones, in: event.body[...]) else { return [] }
        return JSONMembers.elements(zones).compactMap(JSONMembers.string)
    }

    private func item(of kind: FeatureKind) -> ArraySlice<UInt8>? {
        if let name = FieldName.item(of: kind) { return JSONMembers.value(name, in: event.body[...]) }
        return JSONMembers.value(dynamicKey: kind.rawValue, in: event.body[...])
    }

    private func number(_ value: ArraySlice<UInt8>?) -> Double? {
        value.flatMap { Double(String(decoding: $0, as: UTF8.self)) }
    }
}
