import BarcodeValues
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

    package init(labels: Set<String>? = nil, minimumConfidence: Double? = nil, value: ValuePattern? = nil) {
        self.labels = labels
        self.minimumConfidence = minimumConfidence
        self.value = value
    }

    var isEmpty: Bool { labels == nil && minimumConfidence == nil && value == nil }

    /// - Parameter sighting: a `detected` or `update` line: others have no confidence, and not always an item.
    func holds(for sighting: EncodedEvent) -> Bool {
        if labels != nil, sighting.feature != .object, sighting.feature != .scene { return false }
        if value != nil, sighting.feature != .barcode { return false }
        let line = TrackLine(sighting)
        if let minimumConfidence, let confidence = line.confidence, confidence < minimumConfidence { return false }
        if let labels, !line.labels.contains(where: labels.contains) { return false }
        if let value, !(line.value.map(value.isFound) ?? false) { return false }
        return true
    }
}
