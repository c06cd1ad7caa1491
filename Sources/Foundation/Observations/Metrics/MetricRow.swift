// SPDX-License-Identifier: Apache-2.0
/// The description of a metric: its place in a `status` reply, its unit and its meaning.
///
/// The worker channel, the `status` reply, its table and the documentation derive from the rows. A new metric is a case
/// of its key, a row, and the line that counts it.
public struct MetricRow: Sendable, Equatable {
    /// How a value changes over time.
    public enum Kind: String, Sendable {
        /// A number that starts at 0 with the worker and only increases.
        case counter
        /// The current value.
        case gauge
    }

    /// The unit in which a value is stored and, but for `thousandths`, printed.
    public enum Unit: String, Sendable {
        case frames, detections, tracks, faces, pictures, bytes, milliseconds, microseconds
        /// Stored in thousandths and printed as a fraction.
        case thousandths
    }

    public var kind: Kind
    /// The object that contains the value; nil places the value in the object of the table. Rows of one group are
    /// adjacent.
    public var group: String?
    /// The name of the member, unique in its group.
    public var name: String
    public var unit: Unit
    /// One sentence for the documentation.
    public var meaning: String
    /// The name of an additional member with the counter's increase per second; nil if there is no such member.
    public var rate: String?
    /// Whether a reply omits the value while it is 0.
    public var isAbsentAtZero: Bool

    /// A counter is never omitted from a reply.
    public static func counter(
        _ name: String, in group: String? = nil, _ unit: Unit, _ meaning: String, rate: String? = nil
    ) -> MetricRow {
        MetricRow(
            kind: .counter, group: group, name: name, unit: unit, meaning: meaning, rate: rate, isAbsentAtZero: false)
    }

    /// A gauge has no rate.
    public static func gauge(
        _ name: String, in group: String? = nil, _ unit: Unit, _ meaning: String, isAbsentAtZero: Bool = false
    ) -> MetricRow {
        MetricRow(
            kind: .gauge, group: group, name: name, unit: unit, meaning: meaning, rate: nil,
            isAbsentAtZero: isAbsentAtZero)
    }
}
