// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import GlimpseTesting
import Inference
import ModelCatalog
import Testing

/// Compares the network input of the compiled graph with the definitions.
@Suite struct PreprocessingTests {
    private let scope = TestScope()

    private func networkInput(_ source: MemoryPicture, _ input: ModelInput, type: String = "f32") throws -> [Float] {
        let model = try InferenceModel(
            InferenceOptions(path: IdentityModel(in: scope, input, type: type).path, input: input))
        try model.infer(source)
        return Array(model.tensors[0].values)
    }

    private func greatestDifference(_ a: [Float], _ b: [Float]) -> Float {
        a.count == b.count ? zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) } : .infinity
    }

    @Test(arguments: InferencePicture.Format.allCases, ModelInput.Colour.allCases)
    func preprocessingConvertsEveryPixelFormatToEveryColour(format: InferencePicture.Format, colour: ModelInput.Colour)
        throws
    {
        let kind = InferencePicture.Kind(format: format, width: 50, height: 38)
        for layout in ModelInput.Layout.allCases {
            // Smaller, the same, larger; odd too.
            for (width, height) in layout == .nchw ? [(16, 16), (50, 38), (77, 61)] : [(21, 16)] {
                let source = MemoryPicture(kind)
                let input = ModelInput(width: width, height: height, colour: colour, layout: layout)
                let expected = ReferencePreprocessing(source: source, input: input).values
                #expect(greatestDifference(try networkInput(source, input), expected) < 0.01, "\(input)")
            }
        }
    }

    @Test(arguments: PictureColour.Matrix.allCases, PictureColour.Range.allCases)
    func preprocessingUsesMatrixAndRangeOfTheStream(matrix: PictureColour.Matrix, range: PictureColour.Range) throws {
        let kind = InferencePicture.Kind(
            format: .nv12, colour: PictureColour(matrix: matrix, range: range), width: 40, height: 24)
        let input = ModelInput(width: 20, height: 13, colour: .rgb)
        let source = MemoryPicture(kind)
        let expected = ReferencePreprocessing(source: source, input: input).values
        #expect(greatestDifference(try networkInput(source, input), expected) < 0.01)
    }

    /// The first layers of YOLOX become one transposition. Other orders of their parts stay as they are.
    @Test(arguments: [[(0, 0), (1, 0), (0, 1), (1, 1)], [(0, 0), (0, 1), (1, 0), (1, 1)], [(1, 1), (0, 0)]])
    func everyOtherRowAndColumnBecomesAChannel(parts: [(row: Int, column: Int)]) throws {
        let source = MemoryPicture(InferencePicture.Kind(format: .nv12, width: 50, height: 38))
        let input = ModelInput(width: 24, height: 16)
        let picture = try networkInput(source, input)
        let model = try InferenceModel(
            InferenceOptions(path: FocusModel(in: scope, input, parts: parts).path, input: input))
        try model.infer(source)
        var expected: [Float] = []
        for part in parts {
            for channel in 0..<3 {
                for y in stride(from: part.row, to: 16, by: 2) {
                    for x in stride(from: part.column, to: 24, by: 2) {
                        expected.append(picture[(channel * 16 + y) * 24 + x])
                    }
                }
            }
        }
        #expect(Array(model.tensors[0].values) == expected)
    }

    @Test(arguments: ModelInput.Anchor.allCases, [(40, 24), (24, 40), (41, 90)])
    func preprocessingPlacesLetterboxes(anchor: ModelInput.Anchor, size: (Int, Int)) throws {
        let kind = InferencePicture.Kind(format: .grey, width: size.0, height: size.1)
        let input = ModelInput(
            width: 33, height: 32, colour: .bgr, resize: .letterbox(anchor, padding: 114), mean: [104, 117, 123],
            scale: [57, 58, 59])
        let source = MemoryPicture(kind)
        let expected = ReferencePreprocessing(source: source, input: input).values
        #expect(greatestDifference(try networkInput(source, input), expected) < 0.001)
    }

    @Test func thePlacementMapsBoxesBackToThePicture() throws {
        let input = ModelInput(width: 64, height: 64, resize: .letterbox(.centre, padding: 0))
        let model = try InferenceModel(
            InferenceOptions(path: IdentityModel(in: scope, input).path, input: input))
        try model.prepare(for: InferencePicture.Kind(format: .nv12, width: 128, height: 64))
        #expect(model.placement == InputPlacement(scaleX: 0.5, scaleY: 0.5, offsetX: 0, offsetY: 16))
        let box = model.placement.picture(.init(x: 10, y: 20, width: 4, height: 8))
        #expect(box == .init(x: 20, y: 8, width: 8, height: 16))
    }

    @Test func quantisedModelInputsGetWholeNumbers() throws {
        let source = MemoryPicture(InferencePicture.Kind(format: .bgr, width: 30, height: 20))
        let input = ModelInput(width: 16, height: 16, layout: .nhwc)
        let found = try networkInput(source, input, type: "u8")
        #expect(found.allSatisfy { $0 == $0.rounded() })
        let expected = ReferencePreprocessing(source: source, input: input).values
        #expect(greatestDifference(found, expected) <= 0.51)
    }

    /// Random pictures, sizes, regions and inputs.
    @Test(arguments: Fuzz.seeds(16))
    func preprocessingTakesAnyPictureAndAnyInput(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &random)] }
        let kind = InferencePicture.Kind(
            format: pick(InferencePicture.Format.allCases),
            colour: PictureColour(
                matrix: pick(PictureColour.Matrix.allCases), range: pick(PictureColour.Range.allCases)),
            width: 2 * .random(in: 1...60, using: &random), height: 2 * .random(in: 1...60, using: &random))
        let resize = pick([
            ModelInput.Resize.stretch, .letterbox(.topLeft, padding: 114), .letterbox(.centre, padding: 0),
        ])
        let input = ModelInput(
            width: .random(in: 1...70, using: &random), height: .random(in: 1...70, using: &random),
            colour: pick(ModelInput.Colour.allCases), layout: pick(ModelInput.Layout.allCases), resize: resize,
            mean: [1, 2, 3], scale: [1, 2, 255])
        let source = MemoryPicture(kind, padding: 2 * .random(in: 0...8, using: &random), seed: seed)
        let expected = ReferencePreprocessing(source: source, input: input).values
        #expect(greatestDifference(try networkInput(source, input), expected) < 0.01, "\(kind) \(input)")
    }
}
