// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import Observations

/// Boxes of a FastestDet network.
///
/// Source: the reference decoder of dog-qiuqiu/FastestDet (`example/onnx-runtime/runtime.py`): one grid, channels
/// first: objectness, centre = (cell + tanh) / cells, size = sigmoid as proportions, class scores; score =
/// objectness^0.6 * class^0.4.
package struct FastestDetDecoder: BoxDecoder {
    private let input: NetworkSize
    private let rows: Int
    private let columns: Int
    private let classes: Int

    package var classCount: Int? { classes }
    package var hasObjectness: Bool { true }

    package init(outputs: [TensorDescription], input: NetworkSize) throws(DetectorError) {
        self.input = input
        guard outputs.count == 1, outputs[0].shape.matches([1, nil, nil, nil]), let channels = outputs[0].shape[1],
            channels > 5, let rows = outputs[0].shape[2], let columns = outputs[0].shape[3], rows > 0, columns > 0
        else { throw unlike("FastestDet", outputs, expected: "one [1, 5 + classes, rows, columns]") }
        (self.rows, self.columns, classes) = (rows, columns, channels - 5)
    }

    package func decode(
        _ tensors: [Tensor], minimumScore: Float, proposalsBelow classScore: Float?, into boxes: inout [ClassifiedBox]
    ) throws(DetectorError) {
        let cells = rows * columns
        guard let values = tensors.first?.values, values.count == cells * (5 + classes) else {
            throw DetectorError(
                "the network gave \(tensors.first?.values.count ?? 0) values, not \(cells * (5 + classes))")
        }
        // A class scores at most 1: no cell below this objectness can reach the minimum, and most are below it.
        let minimumObjectness = pow(minimumScore, 1 / 0.6) * 0.999
        let (cellWidth, cellHeight) = (Float(input.width) / Float(columns), Float(input.height) / Float(rows))
        for cell in 0..<cells {
            let objectness = probability(values[cell])
            guard objectness >= minimumObjectness else { continue }
            let found = best(values, from: 5 * cells + cell, count: classes, step: cells)
            let proposal = pow(objectness, 0.6)
            let score = proposal * pow(found.score, 0.4)
            let isClassed = score >= classScore ?? minimumScore
            guard isClassed || (classScore != nil && proposal >= minimumScore) else { continue }
            let center = Point(
                x: (tanh(values[cells + cell]) + Float(cell % columns)) * cellWidth,
                y: (tanh(values[2 * cells + cell]) + Float(cell / columns)) * cellHeight)
            boxes.append(
                center: center, width: sigmoid(values[3 * cells + cell]) * Float(input.width),
                height: sigmoid(values[4 * cells + cell]) * Float(input.height), score: isClassed ? score : proposal,
                classIndex: isClassed ? found.index : ClassifiedBox.noClass, input: input)
        }
    }

    private func sigmoid(_ value: Float) -> Float { 1 / (1 + exp(-value)) }
}
