// SPDX-License-Identifier: Apache-2.0
import Observations

/// Groups of class names that a detector takes for each other: a detection of one may continue a track of another in
/// its group.
public struct Confusables: Sendable, Equatable, ExpressibleByArrayLiteral {
    package let groups: [[String]]

    /// A name may be in several groups. Names are compared with the text of labels, case included.
    public init(_ groups: [[String]]) {
        self.groups = groups
    }

    public init(arrayLiteral groups: [String]...) {
        self.groups = groups
    }

    /// Whether the best labels of both stand in one group.
    func contain(_ one: Detection, _ other: Detection) -> Bool {
        guard !groups.isEmpty, let first = one.content.labels.first, let second = other.content.labels.first else {
            return false
        }
        return groups.contains { $0.contains(first.text) && $0.contains(second.text) }
    }
}
