import Observations

/// Keeps the best of overlapping boxes: greedy by descending score, as every detector paper since Viola-Jones does.
///
/// - Returns: the indices kept, best first; ties fall to the lower index, so the result does not depend on chance.
public func nonMaximumSuppression(
    boxes: [Box], scores: [Float], maximumOverlap: Float
) -> [Int] {
    let order = boxes.indices.sorted { (scores[$0], $1) > (scores[$1], $0) }
    var kept: [Int] = []
    for candidate in order
    where kept.allSatisfy({ boxes[$0].intersectionOverUnion(boxes[candidate]) <= maximumOverlap }) {
        kept.append(candidate)
    }
    return kept
}
