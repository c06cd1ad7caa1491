// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif

/// The best classes of a classifier's output.
package struct ClassScores: Sendable {
    package struct Entry: Sendable, Equatable {
        /// The index of a label of the model.
        package var classIndex: Int
        /// 0...1.
        package var probability: Float

        package init(classIndex: Int, probability: Float) {
            self.classIndex = classIndex
            self.probability = probability
        }
    }

    package let classCount: Int
    /// Whether the values are scores that have yet to become probabilities.
    private let areLogits: Bool

    /// - Parameter outputs: one of any shape with a value for each class.
    package init(outputs: [TensorDescription], areLogits: Bool) throws(DetectorError) {
        guard outputs.count == 1, let count = outputs[0].shape.count, count > 0 else {
            throw unlike("classifier", outputs, expected: "one [1, classes]")
        }
        classCount = count
        self.areLogits = areLogits
    }

    /// Replaces `entries` by the `limit` best, best first; ties fall to the lower index, and values that are not
    /// numbers are left out.
    package func decode(_ tensors: [Tensor], limit: Int, into entries: inout [Entry]) throws(DetectorError) {
        guard let values = tensors.first?.values, values.count == classCount else {
            throw DetectorError("the network gave \(tensors.first?.values.count ?? 0) values, not \(classCount)")
        }
        entries.removeAll(keepingCapacity: true)
        var greatest = -Float.infinity
        for value in values where value.isFinite { greatest = max(greatest, value) }
        var sum: Float = 0
        if areLogits {
            for value in values where value.isFinite { sum += exp(value - greatest) }
        }
        for (index, value) in values.enumerated() where value.isFinite {
            let probability = areLogits ? exp(value - greatest) / sum : min(max(value, 0), 1)
            insert(Entry(classIndex: index, probability: probability), limit, into: &entries)
        }
    }

    private func insert(_ entry: Entry, _ limit: Int, into entries: inout [Entry]) {
        if entries.count >= limit {
            guard let last = entries.last, entry.probability > last.probability else { return }
            entries.removeLast()
        }
        let place = entries.firstIndex { $0.probability < entry.probability } ?? entries.count
        entries.insert(entry, at: place)
    }
}
