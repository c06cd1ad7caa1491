// SPDX-License-Identifier: Apache-2.0
import Observations

/// A box that a network proposes.
@usableFromInline package protocol ScoredBox {
    var box: Box { get }
    var score: Float { get }
    var classIndex: Int { get }
}

extension ScoredBox {
    /// Best first. A total order, so that a result does not depend on how it was sorted.
    @inlinable package func precedes(_ other: Self) -> Bool {
        if score != other.score { return score > other.score }
        if classIndex != other.classIndex { return classIndex < other.classIndex }
        if box.y != other.box.y { return box.y < other.box.y }
        if box.x != other.box.x { return box.x < other.box.x }
        return (box.width, box.height) < (other.box.width, other.box.height)
    }
}

extension Array where Element: ScoredBox {
    /// Keeps the best of overlapping boxes, best first: greedy by descending score, as every detector paper since
    /// Viola-Jones does. In place; nothing is allocated.
    ///
    /// - Parameters:
    ///   - maximumOverlap: intersection over union up to which two boxes are two things, 0...1.
    ///   - perClass: whether boxes of different classes leave each other alone.
    ///   - candidates: at most so many, the best, are looked at.
    ///   - limit: at most so many are kept.
    @inlinable package mutating func suppressOverlaps(
        above maximumOverlap: Float, perClass: Bool, candidates: Int = 5000, limit: Int = .max
    ) {
        heapSort { $0.precedes($1) }
        var kept = 0
        for index in indices.prefix(candidates) where kept < limit {
            let candidate = self[index]
            let isTaken = self[..<kept].contains { other in
                (!perClass || other.classIndex == candidate.classIndex)
                    && other.box.intersectionOverUnion(candidate.box) > maximumOverlap
            }
            guard !isTaken else { continue }
            self[kept] = candidate
            kept += 1
        }
        removeLast(count - kept)
    }
}
