// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import Observations

/// Boxes of a YOLOX network.
///
/// Source: Z. Ge, S. Liu, F. Wang, Z. Li, J. Sun, "YOLOX: Exceeding YOLO Series in 2021", and `demo_postprocess` of
/// Megvii-BaseDetection/YOLOX: centre = (value + cell) * stride, size = exp(value) * stride, score = objectness *
/// class, all scores sigmoids already.
package struct YOLOXDecoder: BoxDecoder {
    private let input: NetworkSize
    private let grids: [CellGrid]
    private let cells: Int
    private let classes: Int

    package var classCount: Int? { classes }
    package var hasObjectness: Bool { true }

    package init(outputs: [TensorDescription], input: NetworkSize, strides: [Int]) throws(DetectorError) {
        self.input = input
        grids = CellGrid.grids(strides: strides, input: input)
        cells = grids.reduce(0) { $0 + $1.cells }
        guard outputs.count == 1, outputs[0].shape.matches([1, cells, nil]), let columns = outputs[0].shape[2],
            columns > 5
        else { throw unlike("YOLOX", outputs, expected: "one [1, \(cells), 5 + classes]") }
        classes = columns - 5
    }

    package func decode(
        _ tensors: [Tensor], minimumScore: Float, proposalsBelow classScore: Float?, into boxes: inout [ClassifiedBox]
    ) throws(DetectorError) {
        let columns = 5 + classes
        guard let values = tensors.first?.values, values.count == cells * columns else {
            throw DetectorError("the network gave \(tensors.first?.values.count ?? 0) values, not \(cells * columns)")
        }
        for grid in grids {
            let stride = Float(grid.stride)
            for cell in 0..<grid.cells {
                let start = (grid.start + cell) * columns
                let objectness = probability(values[start + 4])
                guard objectness >= minimumScore else { continue }
                let found = best(values, from: start + 5, count: classes)
                let score = objectness * found.score
                let isClassed = score >= classScore ?? minimumScore
                guard isClassed || classScore != nil else { continue }
                let center = Point(
                    x: (values[start] + Float(cell % grid.columns)) * stride,
                    y: (values[start + 1] + Float(cell / grid.columns)) * stride)
                boxes.append(
                    center: center, width: exp(values[start + 2]) * stride, height: exp(values[start + 3]) * stride,
                    score: isClassed ? score : objectness,
                    classIndex: isClassed ? found.index : ClassifiedBox.noClass, input: input)
            }
        }
    }
}
