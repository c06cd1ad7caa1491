/// One key of a detector's table, and what another value of it means.
package struct DetectorKey<Table: Sendable & Equatable>: Sendable {
    /// Dotted, below the detector's table.
    package let name: String
    package let effect: DetectorChange
    /// Whether what the detector sees depends on it: a tape made with another value cannot tell.
    package let isSeen: Bool
    package let differs: @Sendable (Table, Table) -> Bool
    /// Takes the key's value from the second table into the first.
    let adopt: @Sendable (inout Table, Table) -> Void

    /// - Parameter isSeen: if nil, what needs another detector or worker is.
    init<Value: Equatable & SendableMetatype>(
        _ name: String, _ effect: DetectorChange, isSeen: Bool? = nil,
        _ path: any WritableKeyPath<Table, Value> & Sendable
    ) {
        self.name = name
        self.effect = effect
        self.isSeen = isSeen ?? (effect != .rules)
        differs = { $0[keyPath: path] != $1[keyPath: path] }
        adopt = { $0[keyPath: path] = $1[keyPath: path] }
    }
}

/// How a change reaches a pipeline that runs; the larger includes the smaller.
package enum DetectorChange: Int, Sendable, Comparable {
    /// The lane goes by it from its next frame on: rates and track rules.
    case rules
    /// The lane makes its detector anew; tracks stay.
    case detector
    /// The pipeline gets another worker.
    case worker

    package static func < (left: DetectorChange, right: DetectorChange) -> Bool { left.rawValue < right.rawValue }
}

/// A detector's table.
package protocol DetectorTable: Sendable, Equatable {
    /// As events call the detector.
    static var detector: String { get }
    /// All of them. One that is forgotten needs another worker, and is seen: slow and not wrong.
    static var keys: [DetectorKey<Self>] { get }
}

extension DetectorTable {
    /// What it takes to go on with `new`; nil when they are equal.
    package func change(to new: Self) -> DetectorChange? {
        guard self != new else { return nil }
        var (result, change) = (self, DetectorChange.rules)
        for key in Self.keys where key.effect != .worker && key.differs(self, new) {
            key.adopt(&result, new)
            change = max(change, key.effect)
        }
        return result == new ? change : .worker
    }

    /// Whether a detector of the one sees what a detector of the other does.
    package func sees(as other: Self) -> Bool {
        var result = self
        for key in Self.keys where !key.isSeen { key.adopt(&result, other) }
        return result == other
    }
}
