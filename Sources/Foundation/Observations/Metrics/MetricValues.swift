/// The metrics of a table, as an enumeration that counts from 0.
public protocol MetricKey: RawRepresentable<Int>, CaseIterable, Sendable {
    var row: MetricRow { get }
}

/// One number for each metric of a table.
public struct MetricValues<Key: MetricKey>: Sendable, Equatable {
    /// In the order of the keys.
    public private(set) var numbers: [UInt64]

    /// All are 0.
    public init() { numbers = Array(repeating: 0, count: Key.allCases.count) }

    /// - Parameter next: gives the numbers in the order of the keys.
    /// - Returns: nil when `next` gives nil.
    public init?(_ next: (Key) -> UInt64?) {
        self.init()
        for key in Key.allCases {
            guard let number = next(key) else { return nil }
            self[key] = number
        }
    }

    public subscript(key: Key) -> UInt64 {
        get { numbers[key.rawValue] }
        set { numbers[key.rawValue] = newValue }
    }
}

extension MetricValues: ExpressibleByDictionaryLiteral {
    /// Metrics that are not named are 0.
    public init(dictionaryLiteral elements: (Key, UInt64)...) {
        self.init()
        for (key, number) in elements { self[key] = number }
    }
}
