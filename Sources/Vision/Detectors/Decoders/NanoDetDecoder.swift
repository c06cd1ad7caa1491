// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import Observations

/// Boxes of a NanoDet-Plus network: for each side of a box a distribution over how many strides it is from the cell's
/// point.
///
/// Sources: X. Li et al., "Generalized Focal Loss" (2020), for the distributions; RangiLyu/nanodet
/// (`nanodet_plus_head.py`) for the cells' points (column * stride, row * stride). Rows and columns are rounded up, and
/// scores are sigmoids already.
package struct NanoDetDecoder: BoxDecoder {
    /// Where the values of a stride are: tensors, first values and distances of rows.
    private struct Level: Sendable {
        let grid: CellGrid
        let scores, distances: Columns
    }

    private struct Columns: Sendable {
        let tensor: Int
        let first: Int
        let columns: Int
        /// How many values the whole tensor has.
        let count: Int
    }

    private let input: NetworkSize
    private let levels: [Level]
    private let bins: Int
    private let classes: Int

    package var classCount: Int? { classes }

    /// - Parameters:
    ///   - outputs: one `[1, N, classes + 4 * (bins + 1)]`, or for each stride `[1, n, classes]` and `[1, n, 4 *
    ///     (bins + 1)]`, scores of all strides first, or as they are named (`cls_pred_stride_8`, `dis_pred_stride_8`).
    ///   - bins: the greatest distance in strides, 1...64.
    package init(outputs: [TensorDescription], input: NetworkSize, strides: [Int], bins: Int) throws(DetectorError) {
        let grids = CellGrid.grids(strides: strides, input: input, isPartial: true)
        let cells = grids.reduce(0) { $0 + $1.cells }
        let sides = 4 * (bins + 1)
        (self.input, self.bins) = (input, bins)
        if outputs.count == 1, outputs[0].shape.matches([1, cells, nil]), let columns = outputs[0].shape[2],
            columns > sides
        {
            classes = columns - sides
            levels = grids.map { [classes] grid in
                func part(_ first: Int) -> Columns {
                    Columns(tensor: 0, first: grid.start * columns + first, columns: columns, count: cells * columns)
                }
                return Level(grid: grid, scores: part(0), distances: part(classes))
            }
            return
        }
        var classes: Int?
        var levels: [Level] = []
        for (number, grid) in grids.enumerated() where outputs.count == 2 * grids.count {
            func find(_ kind: String, _ fallback: Int) -> Int {
                let suffix = "_\(grid.stride)"
                return outputs.firstIndex { $0.name.hasPrefix(kind) && $0.name.hasSuffix(suffix) } ?? fallback
            }
            let (scores, distances) = (find("cls", number), find("dis", grids.count + number))
            guard outputs[scores].shape.matches([1, grid.cells, classes]), let columns = outputs[scores].shape[2],
                columns > 0, outputs[distances].shape.matches([1, grid.cells, sides])
            else { break }
            classes = columns
            levels.append(
                Level(
                    grid: grid,
                    scores: Columns(tensor: scores, first: 0, columns: columns, count: grid.cells * columns),
                    distances: Columns(tensor: distances, first: 0, columns: sides, count: grid.cells * sides)))
        }
        guard let classes, levels.count == grids.count else {
            throw unlike("NanoDet", outputs, expected: "one [1, \(cells), classes + \(sides)], or two for each stride")
        }
        (self.classes, self.levels) = (classes, levels)
    }

    package func decode(
        _ tensors: [Tensor], minimumScore: Float, proposalsBelow classScore: Float?, into boxes: inout [ClassifiedBox]
    ) throws(DetectorError) {
        for level in levels {
            for part in [level.scores, level.distances] {
                guard part.tensor < tensors.count, tensors[part.tensor].values.count == part.count else {
                    throw DetectorError("the network's outputs at stride \(level.grid.stride) are of another size")
                }
            }
            decode(
                level, tensors[level.scores.tensor].values, tensors[level.distances.tensor].values, minimumScore,
                into: &boxes)
        }
    }

    private func decode(
        _ level: Level, _ scores: UnsafeBufferPointer<Float>, _ distances: UnsafeBufferPointer<Float>,
        _ minimumScore: Float, into boxes: inout [ClassifiedBox]
    ) {
        let stride = Float(level.grid.stride)
        for cell in 0..<level.grid.cells {
            let found = best(scores, from: level.scores.first + cell * level.scores.columns, count: classes)
            guard found.score >= minimumScore else { continue }
            let start = level.distances.first + cell * level.distances.columns
            func distance(_ side: Int) -> Float { expectation(distances, start + side * (bins + 1)) * stride }
            let (left, top, right, bottom) = (distance(0), distance(1), distance(2), distance(3))
            let x = Float(cell % level.grid.columns) * stride
            let y = Float(cell / level.grid.columns) * stride
            boxes.append(
                center: Point(x: x + (right - left) / 2, y: y + (bottom - top) / 2), width: left + right,
                height: top + bottom, score: found.score, classIndex: found.index, input: input)
        }
    }

    /// The mean of 0...bins under the softmax of the values.
    private func expectation(_ values: UnsafeBufferPointer<Float>, _ start: Int) -> Float {
        var greatest = -Float.infinity
        for bin in 0...bins { greatest = max(greatest, values[start + bin]) }
        var (sum, weighted): (Float, Float) = (0, 0)
        for bin in 0...bins {
            let weight = exp(values[start + bin] - greatest)
            sum += weight
            weighted += weight * Float(bin)
        }
        return weighted / sum
    }
}
