import BarcodeValues
import EventLines
import JSONLines
import Observations

/// What a subscriber wants of a track. Read from the line, as every subscriber may read it, so nobody learns by asking what a pipeline
/// redacts, and a line of the journal is judged as a new one is.
package struct TrackCondition: Sendable, Equatable {
    /// One of an object's or scene's labels is one of these. Nothing else has labels.
    package var labels: Set<String>?
    /// 0...1. What has no confidence (a barcode is read or it is not) passes.
    package var minimumConfidence: Double?
    /// Found in a barcode's `raw`. Nothing else has one.
    package var value: ValuePattern?
    /// It is in one of these zones. What it does with others is not told.
    package var zones: Set<String>?

    package init(
        labels: Set<String>? = nil, minimumConfidence: Double? = nil, value: ValuePattern? = nil,
        zones: Set<String>? = nil
    ) {
        self.labels = labels
        self.minimumConfidence = minimumConfidence
        self.value = value
        self.zones = zones
    }

    var isEmpty: Bool { labels == nil && minimumConfidence == nil && value == nil && zones == nil }

    /// - Parameters:
    ///   - sighting: a `detected` or `update` line: others have no confidence, and not always an item.
    ///   - steps: that looking for the value may take; less those that it took.
    /// - Returns: nil when there are no more steps: asked about the same line again, it goes on.
    func holds(for sighting: EncodedEvent, steps: inout Int) -> Bool? {
        if labels != nil, sighting.feature != .object, sighting.feature != .scene { return false }
        if value != nil, sighting.feature != .barcode { return false }
        let line = TrackLine(sighting)
        if let minimumConfidence, let confidence = line.confidence, confidence < minimumConfidence { return false }
        if let labels, !line.labels.contains(where: labels.contains) { return false }
        if let zones, !line.zones.contains(where: zones.contains) { return false }
        guard let value else { return true }
        guard let text = line.value else { return false }
        return value.isFound(in: text, steps: &steps)
    }

    /// - Parameter line: a `zone` line about a track that is let through.
    func wants(zoneOf line: EncodedEvent) -> Bool {
        guard let zones else { return true }
        return JSONMembers.value(.zone, in: line.body[...]).flatMap(JSONMembers.string).map(zones.contains) ?? false
    }
}
