// SPDX-License-Identifier: Apache-2.0
import Frames
import GlimpseTesting
import Inference
import ModelCatalog
import Observations
import Testing

/// A cropped input takes the middle of the picture, in the picture's own proportions.
@Suite struct CropTests {
    private let scope = TestScope()

    private func networkInput(_ view: FrameView, _ resize: ModelInput.Resize) throws -> [Float] {
        let input = ModelInput(width: 28, height: 28, resize: resize)
        let model = try InferenceModel(InferenceOptions(path: IdentityModel(in: scope, input).path, input: input))
        try model.infer(view)
        return Array(model.tensors[0].values)
    }

    /// The short side is scaled to 32, the network takes 28 of it: seven eighths of the short side, both ways.
    @Test(arguments: [(160, 96, 38, 6), (96, 160, 6, 38), (96, 96, 6, 6)])
    func cropIsTheMiddleOfThePicture(width: Int, height: Int, left: Int, top: Int) throws {
        var painter = FramePainter(width: width, height: height)
        painter.paint { x, y in UInt8((7 * x + 13 * y) % 251) }
        let frame = painter.frame(1, seconds: 0)
        let whole = FrameView(frame)
        let middle = whole.part(x: left, y: top, width: 84, height: 84)
        let cropped = try networkInput(whole, .crop(shortSide: 32))
        #expect(cropped == (try networkInput(middle, .stretch)))
        #expect(cropped != (try networkInput(whole, .stretch)))
    }
}
