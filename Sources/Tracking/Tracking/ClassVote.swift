// SPDX-License-Identifier: Apache-2.0
import Observations

/// The classes of a track: the confidence of each class, summed over the track's detections.
///
/// A detector that wavers between look-alike classes gives both as labels of one box; either then continues the track,
/// which keeps its most frequent class. Classes that were never labels of one box stay apart.
struct ClassVote: Sendable {
    private var entries: [(label: Int, weight: Float)] = []
    /// More look-alikes than this are not told apart anyway.
    private static let capacity = 4

    init(_ labels: [Label]) {
        add(labels)
    }

    mutating func add(_ labels: [Label]) {
        for label in labels.prefix(Self.capacity) {
            let weight = label.confidence > 0 ? label.confidence : 0
            if let place = entries.firstIndex(where: { $0.label == label.index }) {
                entries[place].weight += weight
            } else if entries.count < Self.capacity {
                entries.append((label.index, weight))
            }
        }
    }

    /// Whether a detection whose best label is `label` can be of this track. A detection without a class (nil) may be
    /// of any track.
    func admits(_ label: Int?) -> Bool {
        guard let label, !entries.isEmpty else { return true }
        return entries.contains { $0.label == label }
    }

    /// Whether one class has two thirds of the votes, or no class has any.
    var isSettled: Bool {
        var (sum, greatest): (Float, Float) = (0, 0)
        for entry in entries {
            sum += entry.weight
            greatest = max(greatest, entry.weight)
        }
        return 3 * greatest >= 2 * sum
    }

    /// The class with the most votes; the first one among equals.
    var winner: Int? {
        guard var best = entries.first else { return nil }
        for entry in entries where entry.weight > best.weight { best = entry }
        return best.label
    }
}

extension Detection {
    /// This detection with the label of that class first, if it has the label.
    func leading(with winner: Int?) -> Detection {
        guard let place = content.labels.firstIndex(where: { $0.index == winner }), place > 0 else { return self }
        var detection = self
        detection.content.labels.swapAt(0, place)
        return detection
    }
}
