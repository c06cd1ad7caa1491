// SPDX-License-Identifier: Apache-2.0
import Detectors
import GlimpseTesting
import Observations
import Testing

@Suite struct YuNetDecoderTests {
    /// Output tensors that own their memory. All values begin as zero.
    private final class Tensors {
        static let width = 64
        static let height = 32
        var classScores: [[Float]] = []
        var objectScores: [[Float]] = []
        var boxes: [[Float]] = []
        var points: [[Float]] = []

        init() {
            for stride in YuNetDecoder.strides {
                let cells = (Self.width / stride) * (Self.height / stride)
                classScores.append(Array(repeating: 0, count: cells))
                objectScores.append(Array(repeating: 0, count: cells))
                boxes.append(Array(repeating: 0, count: 4 * cells))
                points.append(Array(repeating: 0, count: 10 * cells))
            }
        }

        /// - Parameter level: index of the stride.
        func set(
            _ level: Int, cell: Int, score: (Float, Float) = (1, 1), box: [Float] = [0, 0, 0, 0], points: [Float]? = nil
        ) {
            (classScores[level][cell], objectScores[level][cell]) = score
            boxes[level].replaceSubrange(4 * cell..<4 * cell + 4, with: box)
            if let points { self.points[level].replaceSubrange(10 * cell..<10 * cell + 10, with: points) }
        }

        /// The outputs of every kind, in the order in which the network gives them.
        func decode(minimumScore: Float = 0.5) throws -> [FaceCandidate] {
            let all = [("cls", 1, classScores), ("obj", 1, objectScores), ("bbox", 4, boxes), ("kps", 10, points)]
            var values: [TensorValues] = []
            for (name, columns, levels) in all {
                for (stride, level) in zip(YuNetDecoder.strides, levels) {
                    values.append(TensorValues(level, [1, level.count / columns, columns], name: "\(name)_\(stride)"))
                }
            }
            let decoder = try YuNetDecoder(outputs: values.map(\.description), minimumScore: minimumScore)
            var faces: [FaceCandidate] = []
            try decoder.decode(values.map(\.tensor), width: Self.width, height: Self.height, into: &faces)
            return faces
        }
    }

    @Test func scoresOfZeroGiveNoFace() throws {
        #expect(try Tensors().decode().isEmpty)
    }

    @Test func boxesAndLandmarksOfFacesAreExact() throws {
        let tensors = Tensors()
        // Stride 16 has four columns: cell 5 is row 1, column 1. The centre lies half a cell on, the size is e^1 and
        // e^0 cells.
        tensors.set(
            1, cell: 5, score: (0.81, 1), box: [0.5, 0.25, 1, 0], points: [0, 0, 1, 0, 0.5, 0.5, 0, 1, 1, 1])
        let face = try #require(try tensors.decode().first)
        let width = 16 * Float(2.7182817)
        #expect(abs(face.box.width - width) < 1e-4)
        #expect(face.box.height == 16)
        #expect(abs(face.box.x - (24 - width / 2)) < 1e-4)
        #expect(face.box.y == 12)
        #expect(abs(face.score - 0.9) < 1e-6)
        #expect(
            face.points.indices.map { face.points[$0] } == [
                Point(x: 16, y: 16), Point(x: 32, y: 16), Point(x: 24, y: 24), Point(x: 16, y: 32), Point(x: 32, y: 32),
            ])
        #expect(YuNetDecoder.landmarkNames == [.rightEye, .leftEye, .noseBase, .mouthRight, .mouthLeft])
    }

    @Test func yuNetCellsAreRowsOfTheirStride() throws {
        for (level, stride) in YuNetDecoder.strides.enumerated() {
            let tensors = Tensors()
            let columns = Tensors.width / stride
            let cell = tensors.classScores[level].count - 1
            tensors.set(level, cell: cell)
            let face = try #require(try tensors.decode().first)
            let size = Float(stride)
            #expect(face.box.center == Point(x: Float(cell % columns) * size, y: Float(cell / columns) * size))
            #expect(face.box.width == size)
        }
    }

    @Test func theScoreOfAFaceIsTheMeanOfBothScores() throws {
        let tensors = Tensors()
        tensors.set(0, cell: 0, score: (0.5, 0.5))
        tensors.set(0, cell: 4, score: (0.49, 0.5))
        // More than 1 counts as 1, less than 0 and no number as 0.
        tensors.set(0, cell: 9, score: (7, 0.64))
        tensors.set(0, cell: 13, score: (-3, -3))
        tensors.set(0, cell: 18, score: (.nan, 1))
        #expect(try tensors.decode().map(\.score) == [0.8, 0.5])
    }

    @Test func theBestOfOverlappingFacesStays() throws {
        let tensors = Tensors()
        tensors.set(2, cell: 0, score: (0.9, 0.9))
        tensors.set(2, cell: 1, score: (0.8, 0.8), box: [-1, 0, 0, 0])
        tensors.set(0, cell: 31, score: (0.7, 0.7))
        #expect(try tensors.decode().map(\.score) == [0.9, 0.7])
    }

    /// A cell with invalid values loses only itself.
    @Test(
        arguments: [
            [.nan, 0, 0, 0], [0, .infinity, 0, 0], [0, 0, .nan, 0], [0, 0, .infinity, 0], [0, 0, 80, 80], [0, 0, 6, 0],
            [0, 0, -Float.infinity, 0], [0, 0, 0, -200],
        ] as [[Float]])
    func impossibleBoxesAreNoFaces(box: [Float]) throws {
        let tensors = Tensors()
        tensors.set(0, cell: 0, box: box)
        tensors.set(0, cell: 20, score: (0.8, 0.8))
        #expect(try tensors.decode().map(\.score) == [0.8])
    }

    @Test(arguments: [Float.nan, .infinity])
    func impossibleLandmarksAreNoFaces(value: Float) throws {
        let tensors = Tensors()
        tensors.set(0, cell: 0, points: Array(repeating: 0, count: 9) + [value])
        tensors.set(0, cell: 20, score: (0.8, 0.8))
        #expect(try tensors.decode().map(\.score) == [0.8])
    }

    @Test func yuNetTensorsOfAnotherSizeAreAnError() {
        let tensors = Tensors()
        tensors.points[1].removeLast(10)
        #expect(
            throws: DetectorError(
                "the model's outputs at stride 16 are not YuNet's for \(Tensors.width)x\(Tensors.height)")
        ) { try tensors.decode() }
        let empty = Tensors()
        empty.classScores[0] = []
        #expect(throws: DetectorError.self) { try empty.decode() }
    }

    @Test func theYuNetDecoderRefusesOtherNetworks() {
        let boxes = TensorDescription(name: "cls_8", shape: [1, 100, 4])
        #expect(throws: DetectorError("not a YuNet model: it has no output \"cls_8\"")) {
            try YuNetDecoder(outputs: [], minimumScore: 0.5)
        }
        #expect(throws: DetectorError("not a YuNet model: output \"cls_8\" is [1, 100, 4], not [1, ?, 1]")) {
            try YuNetDecoder(outputs: [boxes], minimumScore: 0.5)
        }
    }

    @Test(arguments: Fuzz.seeds(60))
    func decodedFacesAreValidForAnyValues(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let tensors = Tensors()
        for level in YuNetDecoder.strides.indices {
            tensors.classScores[level] = wildValues(tensors.classScores[level].count, &random)
            tensors.objectScores[level] = wildValues(tensors.objectScores[level].count, &random)
            tensors.boxes[level] = wildValues(tensors.boxes[level].count, &random)
            tensors.points[level] = wildValues(tensors.points[level].count, &random)
        }
        for face in try tensors.decode(minimumScore: .random(in: 0...1, using: &random)) {
            #expect(face.box.isValid && (0...1).contains(face.score))
            #expect(face.points.indices.allSatisfy { face.points[$0].isFinite })
        }
    }
}
