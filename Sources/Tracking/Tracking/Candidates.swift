// SPDX-License-Identifier: Apache-2.0
import Observations

/// A detection as the association compares it: plain numbers, so that its loops follow no reference.
struct Candidate: Sendable {
    /// In the frame's detections.
    var index: Int
    var score: Float
    var box: Box
    var area: Float
    var cues: Cues
    /// Whether its payload stands once in the frame and at most once among the live tracks: only then it is an
    /// identity.
    var isUnique = false
}

extension [Candidate] {
    /// Fills the array with what can be followed, best first. Allocates nothing once it has grown.
    mutating func fill(with detections: [Detection], frame: FrameInfo, low: Float) {
        removeAll(keepingCapacity: true)
        for (index, detection) in detections.enumerated() where detection.score >= low && detection.isSound(in: frame) {
            append(
                Candidate(
                    index: index, score: detection.score, box: detection.box, area: detection.box.area,
                    cues: detection.content.cues))
        }
        heapSort { $0.score != $1.score ? $0.score > $1.score : detections[$0.index].precedes(detections[$1.index]) }
    }
}

extension Detection {
    /// The score that thresholds compare with. A decoded symbol has no confidence and needs none.
    var score: Float { confidence ?? 1 }

    /// Coordinates beyond this many pixels are no picture's; up to it, areas are exact enough to compare.
    private static let farthest: Float = 1_000_000

    /// Whether a tracker may take it: a box of some size that meets the picture, and a score that is a number.
    /// Everything else is a detector's mistake and is left out, so that it cannot poison a filter.
    func isSound(in frame: FrameInfo) -> Bool {
        let picture = Box(x: 0, y: 0, width: Float(frame.width), height: Float(frame.height))
        return score.isFinite && box.isValid && abs(box.x) <= Self.farthest && abs(box.y) <= Self.farthest
            && box.width <= Self.farthest && box.height <= Self.farthest && box.intersectionArea(picture) > 0
    }

    /// A total order, so that nothing depends on the order in which a detector reports: best first, then by place, then
    /// by content.
    func precedes(_ other: Detection) -> Bool {
        let mine = (-score, box.y, box.x, box.height, box.width)
        let theirs = (-other.score, other.box.y, other.box.x, other.box.height, other.box.width)
        guard mine == theirs else { return mine < theirs }
        return content.numbers.lexicographicallyPrecedes(other.content.numbers)
    }
}

extension Detection.Content {
    /// Numbers that tell apart two detections with equal scores and boxes.
    fileprivate var numbers: [Float] {
        switch self {
        case .barcode(let barcode):
            let format = barcode.format.flatMap(Barcode.Format.allCases.firstIndex) ?? -1
            return [Float(format)] + barcode.bytes.map(Float.init) + [barcode.orientation]
                + barcode.corners.points.flatMap { [$0.x, $0.y] } + (barcode.addOn ?? "").utf8.map(Float.init)
        case .face(let face): return face.landmarks.flatMap { [$0.position.x, $0.position.y] }
        case .custom(let feature): return feature.attributes.utf8.map(Float.init)
        case .object, .scene: return labels.flatMap { [Float($0.index), $0.confidence] }
        }
    }
}
