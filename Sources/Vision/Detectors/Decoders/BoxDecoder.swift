// SPDX-License-Identifier: Apache-2.0
import Observations

/// A box with a class.
package struct ClassifiedBox: Sendable, Equatable, ScoredBox {
    package var box: Box
    /// 0...1.
    package var score: Float
    /// Index of the model's label; `noClass` for a proposal.
    package var classIndex: Int

    /// The class of a proposal: a box that the network takes for a thing, of whatever class. Its score is the
    /// objectness.
    package static let noClass = -1

    package init(box: Box, score: Float, classIndex: Int) {
        self.box = box
        self.score = score
        self.classIndex = classIndex
    }
}

/// Reads boxes with classes out of a network's outputs. Made for one network: its initialiser refuses the outputs of
/// another kind.
///
/// A decoder gives valid boxes only, for any values, not-a-number included. It allocates only for appended boxes.
package protocol BoxDecoder: Sendable {
    /// How many classes the outputs have; nil where they do not say.
    var classCount: Int? { get }

    /// Whether the outputs say how sure the network is of a thing apart from its class.
    var hasObjectness: Bool { get }

    /// Appends the boxes that score `minimumScore` (0...1) or more, in pixels of the network's input, overlapping ones
    /// too.
    ///
    /// - Parameters:
    ///   - tensors: in the order of the network's outputs. Sizes other than those that were promised give an error.
    ///   - classScore: a box whose class scores less is a proposal without a class. nil: no proposals; so for a decoder
    ///     without objectness.
    func decode(
        _ tensors: [Tensor], minimumScore: Float, proposalsBelow classScore: Float?, into boxes: inout [ClassifiedBox]
    ) throws(DetectorError)
}

extension BoxDecoder {
    package var hasObjectness: Bool { false }

    /// Boxes with classes alone.
    package func decode(_ tensors: [Tensor], minimumScore: Float, into boxes: inout [ClassifiedBox])
        throws(DetectorError)
    {
        try decode(tensors, minimumScore: minimumScore, proposalsBelow: nil, into: &boxes)
    }
}

extension [ClassifiedBox] {
    /// Appends a box around a centre if its values are finite and it is at most four times as large as the network's
    /// input. The areas of larger boxes are infinite.
    mutating func append(
        center: Point, width: Float, height: Float, score: Float, classIndex: Int, input: NetworkSize
    ) {
        let box = Box(x: center.x - width / 2, y: center.y - height / 2, width: width, height: height)
        guard box.isValid, width <= Float(4 * input.width), height <= Float(4 * input.height),
            abs(box.x) <= Float(8 * input.width), abs(box.y) <= Float(8 * input.height)
        else { return }
        append(ClassifiedBox(box: box, score: score, classIndex: classIndex))
    }
}

/// Pixels of a network's input.
package struct NetworkSize: Sendable, Hashable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// The grids of an anchor-free head: cells row by row, stride after stride.
struct CellGrid: Sendable {
    let stride: Int
    let columns: Int
    let cells: Int
    /// The index of the first cell among the cells of all strides.
    let start: Int

    /// - Parameter isPartial: whether the last row and column may reach beyond the input.
    static func grids(strides: [Int], input: NetworkSize, isPartial: Bool = false) -> [CellGrid] {
        var start = 0
        return strides.map { stride in
            let slack = isPartial ? stride - 1 : 0
            let columns = (input.width + slack) / stride
            let cells = columns * ((input.height + slack) / stride)
            defer { start += cells }
            return CellGrid(stride: stride, columns: columns, cells: cells, start: start)
        }
    }
}

/// Clamped to 0...1; not a number counts as 0.
@inline(__always)
func probability(_ value: Float) -> Float {
    value > 0 ? min(value, 1) : 0
}

/// The greatest of `count` values that lie `step` apart, and its number; not a number counts as 0.
@inline(__always)
func best(_ values: UnsafeBufferPointer<Float>, from start: Int, count: Int, step: Int = 1) -> (
    index: Int, score: Float
) {
    var best: (index: Int, score: Float) = (0, 0)
    for index in 0..<count where values[start + index * step] > best.score {
        best = (index, values[start + index * step])
    }
    return (best.index, min(best.score, 1))
}

/// The error of a decoder that was given another network's outputs.
func unlike(_ name: String, _ outputs: [TensorDescription], expected: String) -> DetectorError {
    let found = outputs.map { "\"\($0.name)\" \($0.shape)" }.joined(separator: ", ")
    return DetectorError("not a \(name) model: its outputs are \(found); expected \(expected)")
}
