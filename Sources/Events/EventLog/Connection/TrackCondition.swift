// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import EventLines
import JSONLines
import Observations

/// A subscriber's condition on tracks. The condition reads the encoded line that every subscriber may read. So a filter
/// cannot reveal redacted values, and a line of the journal is judged like a new one.
package struct TrackCondition: Sendable, Equatable {
    /// At least one label of the object or scene is in this set. Faces and barcodes have no labels.
    package var labels: Set<String>?
    /// 0...1. A line without a confidence passes; a barcode has none, because it is either read or not.
    package var minimumConfidence: Double?
    /// A pattern to find in a barcode's `raw`, or in the `value` of a kind that is not built in. Other kinds have none.
    package var value: ValuePattern?
    /// The track is in one of these zones. Events of other zones are not sent.
    package var zones: Set<String>?
    /// The lines whose crossings are sent. It selects no tracks.
    package var lines: Set<String>?

    package init(
        labels: Set<String>? = nil, minimumConfidence: Double? = nil, value: ValuePattern? = nil,
        zones: Set<String>? = nil, lines: Set<String>? = nil
    ) {
        self.lines = lines
        self.labels = labels
        self.minimumConfidence = minimumConfidence
        self.value = value
        self.zones = zones
    }

    var isEmpty: Bool { labels == nil && minimumConfidence == nil && value == nil && zones == nil }

    /// - Parameters:
    ///   - sighting: a `detected` or `update` line. Other lines have no confidence, and not always an item.
    ///   - steps: the steps available for the search in the value, reduced by the steps used.
    /// - Returns: nil if the steps are used up. The next call with this line continues the search.
    func holds(for sighting: EncodedEvent, steps: inout Int) -> Bool? {
        if labels != nil, sighting.feature != .object, sighting.feature != .scene { return false }
        if value != nil, let kind = sighting.feature, kind.isBuiltIn, kind != .barcode { return false }
        let line = TrackLine(sighting)
        if let minimumConfidence, let confidence = line.confidence, confidence < minimumConfidence { return false }
        if let labels, !line.labels.contains(where: labels.contains) { return false }
        if let zones, !line.zones.contains(where: zones.contains) { return false }
        guard let value else { return true }
        guard let text = line.value else { return false }
        return value.isFound(in: text, steps: &steps)
    }

    /// - Parameter crossing: a `line` line of a selected track.
    func wants(crossing: EncodedEvent) -> Bool {
        guard let lines else { return true }
        return JSONMembers.value(.line, in: crossing.body[...]).flatMap(JSONMembers.string).map(lines.contains) ?? false
    }

    /// - Parameter line: a `zone` line of a selected track.
    func wants(zoneOf line: EncodedEvent) -> Bool {
        guard let zones else { return true }
        return JSONMembers.value(.zone, in: line.body[...]).flatMap(JSONMembers.string).map(zones.contains) ?? false
    }
}
