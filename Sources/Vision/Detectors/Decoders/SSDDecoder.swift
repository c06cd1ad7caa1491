// SPDX-License-Identifier: Apache-2.0
import Observations

/// Boxes of networks that decode their own anchors (W. Liu et al., "SSD: Single Shot MultiBox Detector", 2016): corners
/// as proportions of the input.
package struct SSDDecoder: BoxDecoder {
    private enum Form: Sendable {
        /// `[1, 1, N, 7]`: image, class, score, left, top, right, bottom; an image of -1 ends the list.
        case detectionOutput(Int)
        /// `[1, N, 4]` and `[1, N, classes]`.
        case boxesAndScores(boxes: Int, scores: Int)
    }

    private let input: NetworkSize
    private let form: Form
    /// The label of class 1: 0 if class 0 means "nothing".
    private let offset: Int
    package let classCount: Int?

    /// - Parameter isDetectionOutput: which of the two forms it is.
    package init(
        outputs: [TensorDescription], input: NetworkSize, isDetectionOutput: Bool, hasBackground: Bool
    ) throws(DetectorError) {
        self.input = input
        offset = hasBackground ? 1 : 0
        if isDetectionOutput {
            guard outputs.count == 1, outputs[0].shape.matches([1, 1, nil, 7]) else {
                throw unlike("detection-output SSD", outputs, expected: "one [1, 1, N, 7]")
            }
            form = .detectionOutput(0)
            classCount = nil
        } else {
            let boxes = Self.find("boxes", outputs) { $0[2] == 4 }
            let scores = Self.find("scores", outputs) { $0[2] != 4 }
            guard outputs.count == 2, let boxes, let scores, boxes != scores,
                let classes = outputs[scores].shape[2], classes > offset,
                outputs[boxes].shape.matches([1, outputs[scores].shape[1], 4])
            else {
                throw unlike("boxes-and-scores SSD", outputs, expected: "boxes [1, N, 4] and scores [1, N, classes]")
            }
            form = .boxesAndScores(boxes: boxes, scores: scores)
            classCount = classes - offset
        }
    }

    /// By name, or the only one of a shape.
    private static func find(
        _ name: String, _ outputs: [TensorDescription], where matches: (TensorShape) -> Bool
    ) -> Int? {
        if let named = outputs.firstIndex(where: { $0.name == name && $0.shape.rank == 3 }) { return named }
        let fitting = outputs.indices.filter { outputs[$0].shape.rank == 3 && matches(outputs[$0].shape) }
        return fitting.count == 1 ? fitting[0] : nil
    }

    package func decode(
        _ tensors: [Tensor], minimumScore: Float, proposalsBelow classScore: Float?, into boxes: inout [ClassifiedBox]
    ) throws(DetectorError) {
        switch form {
        case .detectionOutput(let index):
            guard index < tensors.count, tensors[index].values.count % 7 == 0 else {
                throw DetectorError("the network's list of boxes is not of seven values each")
            }
            decode(tensors[index].values, minimumScore, into: &boxes)
        case .boxesAndScores(let corners, let scores):
            let columns = (classCount ?? 0) + offset
            guard max(corners, scores) < tensors.count,
                tensors[corners].values.count / 4 == tensors[scores].values.count / columns,
                tensors[corners].values.count % 4 == 0, tensors[scores].values.count % columns == 0
            else { throw DetectorError("the network gave other numbers of boxes and of scores") }
            decode(tensors[corners].values, tensors[scores].values, columns, minimumScore, into: &boxes)
        }
    }

    private func decode(
        _ rows: UnsafeBufferPointer<Float>, _ minimumScore: Float, into boxes: inout [ClassifiedBox]
    ) {
        for start in stride(from: 0, to: rows.count, by: 7) {
            guard rows[start] >= 0 else { return }
            let (index, score) = (rows[start + 1] - Float(offset), probability(rows[start + 2]))
            guard score >= minimumScore, index >= 0, index < 1e6 else { continue }
            append(rows, start + 3, score, Int(index), into: &boxes)
        }
    }

    private func decode(
        _ corners: UnsafeBufferPointer<Float>, _ scores: UnsafeBufferPointer<Float>, _ columns: Int,
        _ minimumScore: Float, into boxes: inout [ClassifiedBox]
    ) {
        for row in 0..<corners.count / 4 {
            let found = best(scores, from: row * columns + offset, count: columns - offset)
            guard found.score >= minimumScore else { continue }
            append(corners, 4 * row, found.score, found.index, into: &boxes)
        }
    }

    private func append(
        _ values: UnsafeBufferPointer<Float>, _ start: Int, _ score: Float, _ index: Int,
        into boxes: inout [ClassifiedBox]
    ) {
        let (width, height) = (Float(input.width), Float(input.height))
        let (left, top) = (values[start] * width, values[start + 1] * height)
        let (right, bottom) = (values[start + 2] * width, values[start + 3] * height)
        boxes.append(
            center: Point(x: (left + right) / 2, y: (top + bottom) / 2), width: right - left, height: bottom - top,
            score: score, classIndex: index, input: input)
    }
}
