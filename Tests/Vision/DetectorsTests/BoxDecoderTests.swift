// SPDX-License-Identifier: Apache-2.0
import Detectors
import GlimpseTesting
import Observations
import Testing

@Suite struct BoxDecoderTests {
    private static let input = NetworkSize(width: 64, height: 32)

    private func decode(_ decoder: some BoxDecoder, _ tensors: [TensorValues], _ minimumScore: Float = 0.3) throws
        -> [ClassifiedBox]
    {
        var boxes: [ClassifiedBox] = []
        try decoder.decode(tensors.map(\.tensor), minimumScore: minimumScore, into: &boxes)
        return boxes
    }

    private func expectBox(
        _ found: ClassifiedBox?, _ box: Box, score: Float, classIndex: Int,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let found = try #require(found, sourceLocation: location)
        let parts = [
            (found.box.x, box.x), (found.box.y, box.y), (found.box.width, box.width), (found.box.height, box.height),
        ]
        #expect(parts.allSatisfy { abs($0 - $1) < 1e-3 }, "\(found.box)", sourceLocation: location)
        #expect(abs(found.score - score) < 1e-5, sourceLocation: location)
        #expect(found.classIndex == classIndex, sourceLocation: location)
    }

    // MARK: YOLOX

    /// 32 cells of stride 8, 8 of 16, 2 of 32.
    private func yolox(_ rows: [Int: [Float]]) -> TensorValues {
        var values = [Float](repeating: 0, count: 42 * 8)
        for (row, content) in rows { values.replaceSubrange(row * 8..<row * 8 + content.count, with: content) }
        return TensorValues(values, [1, 42, 8])
    }

    @Test func yoloxBoxesAreExact() throws {
        let values = yolox([
            // Stride 8: row 1, column 2. Stride 16: row 1, column 3, the fourth of its second row. Stride 32: column 1.
            10: [0.5, 0.25, 0.6931472, 0, 0.8, 0.1, 0.9, 0.2], 39: [0, 0, 0, 0, 1, 1, 0, 0],
            41: [0, 0, 0, 0, 0.6, 0, 0, 0.5],
        ])
        let decoder = try YOLOXDecoder(outputs: [values.description], input: Self.input, strides: [8, 16, 32])
        #expect(decoder.classCount == 3)
        let boxes = try decode(decoder, [values])
        #expect(boxes.count == 3)
        try expectBox(boxes.first, Box(x: 12, y: 6, width: 16, height: 8), score: 0.72, classIndex: 1)
        try expectBox(boxes.dropFirst().first, Box(x: 40, y: 8, width: 16, height: 16), score: 1, classIndex: 0)
        try expectBox(boxes.last, Box(x: 16, y: -16, width: 32, height: 32), score: 0.3, classIndex: 2)
        #expect(try decode(decoder, [values], 0.5).count == 2)
    }

    /// Objectness 0.8 with a class of 0.9, with one of 0.2, and 0.4 with a class of 1; the class has to score 0.5.
    @Test func yoloxProposalsAreCertainObjectsOfUncertainClass() throws {
        let values = yolox([
            10: [0, 0, 0, 0, 0.8, 0.1, 0.9, 0.2], 20: [0, 0, 0, 0, 0.8, 0.2, 0, 0], 30: [0, 0, 0, 0, 0.4, 1, 0, 0],
        ])
        let decoder = try YOLOXDecoder(outputs: [values.description], input: Self.input, strides: [8, 16, 32])
        #expect(decoder.hasObjectness)
        let found = try proposals(decoder, [values], below: 0.5)
        #expect(found.map(\.classIndex) == [1, ClassifiedBox.noClass, ClassifiedBox.noClass])
        #expect(zip(found, [0.72, 0.8, 0.4] as [Float]).allSatisfy { abs($0.score - $1) < 1e-5 })
        #expect(try decode(decoder, [values]).map(\.classIndex) == [1, 0])
    }

    private func proposals(_ decoder: some BoxDecoder, _ tensors: [TensorValues], below classScore: Float) throws
        -> [ClassifiedBox]
    {
        var boxes: [ClassifiedBox] = []
        try decoder.decode(tensors.map(\.tensor), minimumScore: 0.3, proposalsBelow: classScore, into: &boxes)
        return boxes
    }

    // MARK: FastestDet

    /// Without the class factor the score is objectness^0.6.
    @Test func fastestDetProposalsAreCertainObjectsOfUncertainClass() throws {
        let values = fastestDet([0: [0: 0.7, 1: 0.7, 2: 0.1], 5: [0: 0.9, 1: 0.01, 2: 0.01]])
        let decoder = try FastestDetDecoder(outputs: [values.description], input: Self.input)
        let found = try proposals(decoder, [values], below: 0.5)
        #expect(found.map(\.classIndex) == [0, ClassifiedBox.noClass])
        #expect(abs((found.last?.score ?? 0) - 0.8073443) < 1e-5)
    }

    /// Two rows of four cells, two classes; `[channel: [cell: value]]`.
    private func fastestDet(_ channels: [Int: [Int: Float]]) -> TensorValues {
        var values = [Float](repeating: 0, count: 7 * 8)
        for (channel, cells) in channels {
            for (cell, value) in cells { values[channel * 8 + cell] = value }
        }
        return TensorValues(values, [1, 7, 2, 4])
    }

    @Test func fastestDetBoxesAreExact() throws {
        // tanh(0.5493061) = 0.5, sigmoid(0) = 0.5, sigmoid(-1.0986123) = 0.25.
        let values = fastestDet([
            0: [6: 0.5], 1: [6: 0.5493061], 2: [6: 0], 3: [6: 0], 4: [6: -1.0986123], 5: [6: 0.2], 6: [6: 0.7],
        ])
        let decoder = try FastestDetDecoder(outputs: [values.description], input: Self.input)
        #expect(decoder.classCount == 2)
        let boxes = try decode(decoder, [values])
        // 0.5^0.6 * 0.7^0.4; the centre is at 2.5 of 4 columns and 1 of 2 rows.
        try expectBox(boxes.first, Box(x: 24, y: 12, width: 32, height: 8), score: 0.5720337, classIndex: 1)
        #expect(boxes.count == 1)
    }

    // MARK: SSD

    @Test func detectionOutputsEndAtTheEndMark() throws {
        let row: [Float] = [0, 2, 0.9, 0.25, 0.25, 0.75, 0.5]
        let values = TensorValues(
            row + [0, 0, 0.9, 0, 0, 1, 1] + [0, 1, 0.2, 0, 0, 1, 1] + [-1, 0, 0, 0, 0, 0, 0] + row, [1, 1, 5, 7])
        let decoder = try SSDDecoder(
            outputs: [TensorDescription(name: "", shape: [1, 1, nil, 7])], input: Self.input, isDetectionOutput: true,
            hasBackground: true)
        let boxes = try decode(decoder, [values])
        #expect(boxes.count == 1)
        try expectBox(boxes.first, Box(x: 16, y: 8, width: 32, height: 8), score: 0.9, classIndex: 1)
        #expect(decoder.classCount == nil)
    }

    @Test func twoTensorsOfAnSSDAreFoundByNameOrShape() throws {
        let corners: [Float] = [0, 0, 0.5, 0.5, 0.5, 0.5, 1, 1, 0.5, 0.5, 0.25, 0.25]
        let scores: [Float] = [0.9, 0.1, 0.4, 0.2, 0.8, 0.1, 0, 1, 0]
        for (first, second) in [("scores", "boxes"), ("a", "b")] {
            let values = [
                TensorValues(scores, [1, 3, 3], name: first), TensorValues(corners, [1, 3, 4], name: second),
            ]
            let decoder = try SSDDecoder(
                outputs: values.map(\.description), input: Self.input, isDetectionOutput: false, hasBackground: true)
            #expect(decoder.classCount == 2)
            let boxes = try decode(decoder, values)
            // The last box has its corners exchanged.
            #expect(boxes.count == 2)
            try expectBox(boxes.first, Box(x: 0, y: 0, width: 32, height: 16), score: 0.4, classIndex: 1)
            try expectBox(boxes.last, Box(x: 32, y: 16, width: 32, height: 16), score: 0.8, classIndex: 0)
        }
    }

    // MARK: NanoDet

    /// The values of a distribution with all its weight at `bin` of 0...4.
    private func at(_ bin: Int) -> [Float] { (0...4).map { $0 == bin ? 60 : 0 } }

    @Test(arguments: [true, false])
    func nanoDetSidesAreExpectations(isOneTensor: Bool) throws {
        // Strides 16 and 32 of 64x32: 8 and 2 cells. Two classes.
        var scores = [[Float]](repeating: [0, 0], count: 10)
        var sides = [[Float]](repeating: [Float](repeating: 0, count: 20), count: 10)
        scores[6] = [0.1, 0.7]
        sides[6] = at(1) + at(0) + at(2) + at(1)
        // Even distributions: two strides to each side.
        scores[9] = [0.5, 0.2]
        let values: [TensorValues] =
            if isOneTensor {
                [TensorValues(zip(scores, sides).flatMap { $0 + $1 }, [1, 10, 22])]
            } else {
                [
                    TensorValues(scores[..<8].flatMap(\.self), [1, 8, 2], name: "cls_pred_stride_16"),
                    TensorValues(sides[..<8].flatMap(\.self), [1, 8, 20], name: "dis_pred_stride_16"),
                    TensorValues(scores[8...].flatMap(\.self), [1, 2, 2], name: "cls_pred_stride_32"),
                    TensorValues(sides[8...].flatMap(\.self), [1, 2, 20], name: "dis_pred_stride_32"),
                ]
            }
        let decoder = try NanoDetDecoder(
            outputs: values.map(\.description), input: Self.input, strides: [16, 32], bins: 4)
        #expect(decoder.classCount == 2)
        let boxes = try decode(decoder, values)
        #expect(boxes.count == 2)
        // Row 1, column 2 of stride 16: the point (32, 16).
        try expectBox(boxes.first, Box(x: 16, y: 16, width: 48, height: 16), score: 0.7, classIndex: 1)
        try expectBox(boxes.last, Box(x: -32, y: -64, width: 128, height: 128), score: 0.5, classIndex: 0)
    }

    // MARK: All of them

    @Test func boxDecodersRefuseOutputsOfOtherNetworks() {
        let other = [TensorDescription(name: "probabilities", shape: [1, 1000])]
        let message = "its outputs are \"probabilities\" [1, 1000]; expected "
        #expect(throws: DetectorError("not a YOLOX model: \(message)one [1, 42, 5 + classes]")) {
            try YOLOXDecoder(outputs: other, input: Self.input, strides: [8, 16, 32])
        }
        #expect(throws: DetectorError("not a FastestDet model: \(message)one [1, 5 + classes, rows, columns]")) {
            try FastestDetDecoder(outputs: other, input: Self.input)
        }
        #expect(throws: DetectorError("not a detection-output SSD model: \(message)one [1, 1, N, 7]")) {
            try SSDDecoder(outputs: other, input: Self.input, isDetectionOutput: true, hasBackground: true)
        }
        #expect(throws: DetectorError.self) {
            try SSDDecoder(outputs: other, input: Self.input, isDetectionOutput: false, hasBackground: true)
        }
        #expect(throws: DetectorError.self) {
            try NanoDetDecoder(outputs: other, input: Self.input, strides: [8, 16], bins: 7)
        }
    }

    /// A random network of each kind with random values: valid boxes, or an error, and never a crash.
    @Test(arguments: Fuzz.seeds(120))
    func decodedBoxesAreValidForAnyValues(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let classes = Int.random(in: 1...4, using: &random)
        let (decoder, tensors): (any BoxDecoder, [TensorValues])
        func values(_ shape: [Int]) -> TensorValues {
            TensorValues(wildValues(shape.reduce(1, *), &random), TensorShape(rank: shape.count) { shape[$0] })
        }
        switch seed % 5 {
        case 0:
            tensors = [values([1, 42, 5 + classes])]
            decoder = try YOLOXDecoder(
                outputs: tensors.map(\.description), input: Self.input, strides: [8, 16, 32])
        case 1:
            tensors = [values([1, 5 + classes, 2, 4])]
            decoder = try FastestDetDecoder(outputs: tensors.map(\.description), input: Self.input)
        case 2:
            tensors = [values([1, 1, 20, 7])]
            decoder = try SSDDecoder(
                outputs: tensors.map(\.description), input: Self.input, isDetectionOutput: true, hasBackground: false)
        case 3:
            tensors = [values([1, 20, 4]), values([1, 20, 4 + classes])]
            decoder = try SSDDecoder(
                outputs: tensors.map(\.description), input: Self.input, isDetectionOutput: false, hasBackground: true)
        default:
            tensors = [values([1, 42, classes + 32])]
            decoder = try NanoDetDecoder(
                outputs: tensors.map(\.description), input: Self.input, strides: [8, 16, 32], bins: 7)
        }
        let minimum = Float.random(in: 0...1, using: &random)
        for box in try decode(decoder, tensors, minimum) {
            #expect(box.box.isValid && box.box.area.isFinite)
            #expect((minimum...1).contains(box.score))
            #expect(box.classIndex >= 0 && decoder.classCount.map { box.classIndex < $0 } ?? true)
        }
        // Fewer values than the shape states.
        #expect(throws: DetectorError.self) { try decode(decoder, [TensorValues([1, 2, 3], [3])]) }
        #expect(throws: DetectorError.self) { try decode(decoder, []) }
    }
}
