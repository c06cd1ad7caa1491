// SPDX-License-Identifier: Apache-2.0
/// The metrics of a table: an enumeration whose raw values start at 0.
public protocol MetricKey: RawRepresentable<Int>, CaseIterable, Sendable {
    /// The description from which status, metrics and documentation derive.
    var row: MetricRow { get }
}

/// The values of all metrics of a table.
public struct MetricValues<Key: MetricKey>: Sendable, Equatable {
    /// The values in the order of the keys.
    public private(set) var numbers: [UInt64]

    /// Sets all values to 0.
    public init() { numbers = Array(repeating: 0, count: Key.allCases.count) }

    /// - Parameter next: returns the value of a key; called in the order of the keys.
    /// - Returns: nil if `next` returns nil.
    public init?(_ next: (Key) -> UInt64?) {
        self.init()
        for key in Key.allCases {
            guard let number = next(key) else { return nil }
            self[key] = number
        }
    }

    /// The counters plus those of other values; other metrics stay. Numbers saturate.
    package func adding(countersOf other: Self) -> Self {
        var sum = self
        for key in Key.allCases where key.row.kind == .counter { sum[key] = sum[key].saturatingAdd(other[key]) }
        return sum
    }

    /// The value of one metric, in the unit of its row.
    public subscript(key: Key) -> UInt64 {
        get { numbers[key.rawValue] }
        set { numbers[key.rawValue] = newValue }
    }
}

extension MetricValues: ExpressibleByDictionaryLiteral {
    /// Metrics that the literal does not name are 0.
    public init(dictionaryLiteral elements: (Key, UInt64)...) {
        self.init()
        for (key, number) in elements { self[key] = number }
    }
}
