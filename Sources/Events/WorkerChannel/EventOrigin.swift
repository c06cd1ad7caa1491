// SPDX-License-Identifier: Apache-2.0
import BinaryFormat
import Observations

/// The names in the payload of an event: of its detector, and of its kind of feature. An event mostly has the names of
/// the event before, so they are decoded only when they change.
struct EventOrigin: Sendable {
    private(set) var detector = ""
    private(set) var feature: FeatureKind?
    /// The names as the payload has them; empty before the first event.
    private var encoded: [UInt8] = []

    /// Takes the names off the front of a payload.
    ///
    /// - Returns: false if the payload does not begin with names.
    mutating func read(from reader: inout PayloadReader) -> Bool {
        if !encoded.isEmpty, reader.take(encoded) { return true }
        let before = reader.rest
        guard let detector = reader.string(), let feature = reader.string() else { return false }
        self.detector = detector
        self.feature = FeatureKind(rawValue: feature)
        encoded = Array(before[..<reader.rest.startIndex])
        return true
    }
}
