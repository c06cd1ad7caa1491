/// What one metric is: its place in a `status` reply, its unit and its meaning.
///
/// Everything that carries, prints or documents a metric reads this row. A new metric is a case of its key, this row, and the line that
/// counts it.
public struct MetricRow: Sendable, Equatable {
    public enum Kind: String, Sendable {
        /// Grows from 0 while a worker lives.
        case counter
        /// A value of now.
        case gauge
    }

    public enum Unit: String, Sendable {
        case frames, detections, tracks, faces, pictures, milliseconds, microseconds
        /// Counted in thousandths and printed as a fraction.
        case thousandths
    }

    public var kind: Kind
    /// The object around the value; nil: the value stands in its table's own object. Rows of one group follow each other.
    public var group: String?
    public var name: String
    public var unit: Unit
    /// One sentence for the documentation.
    public var meaning: String
    /// The name of a further member with the counter's growth per second; nil: there is none.
    public var rate: String?
    /// Whether a reply leaves the value out while it is 0.
    public var isAbsentAtZero: Bool

    public static func counter(
        _ name: String, in group: String? = nil, _ unit: Unit, _ meaning: String, rate: String? = nil
    ) -> MetricRow {
        MetricRow(
            kind: .counter, group: group, name: name, unit: unit, meaning: meaning, rate: rate, isAbsentAtZero: false)
    }

    public static func gauge(
        _ name: String, in group: String? = nil, _ unit: Unit, _ meaning: String, isAbsentAtZero: Bool = false
    ) -> MetricRow {
        MetricRow(
            kind: .gauge, group: group, name: name, unit: unit, meaning: meaning, rate: nil,
            isAbsentAtZero: isAbsentAtZero)
    }
}
