// SPDX-License-Identifier: Apache-2.0
import BinaryFormat
import EventLines
import Observations

/// Reads the origin of events from their payloads. An event mostly has the origin of the event before, so it is decoded
/// only when it changes.
struct OriginReader: Sendable {
    private var newest = EventOrigin.none
    /// The newest origin as the payload has it; empty before the first event.
    private var encoded: [UInt8] = []

    /// Takes an origin off the front of a payload.
    ///
    /// - Returns: nil if the payload does not begin with an origin.
    mutating func read(from reader: inout PayloadReader) -> EventOrigin? {
        if !encoded.isEmpty, reader.take(encoded) { return newest }
        let before = reader.rest
        guard let detector = reader.string(), let feature = reader.string() else { return nil }
        newest = EventOrigin(detector: detector, feature: FeatureKind(rawValue: feature))
        encoded = Array(before[..<reader.rest.startIndex])
        return newest
    }
}
