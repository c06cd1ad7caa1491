// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import GStreamerSource
import GlimpseTesting
import Inference
import ModelCatalog
import Observations
import Settings
import Testing

/// The networks of the catalogue on photographs.
@Suite(.enabled(if: SharedData.has("models"))) struct ObjectNetworkTests {
    private static let yolox = (
        path: SharedData.path("models/yolox_nano_416.onnx"),
        input: ModelInput(width: 416, height: 416, resize: .letterbox(.topLeft, padding: 114)),
        decoder: ModelDecoder.yolox(strides: [8, 16, 32], overlap: 0.5)
    )
    private static let fastestDet = (
        path: SharedData.path("models/FastestDet.onnx"),
        input: ModelInput(width: 352, height: 352, scale: [255, 255, 255]),
        decoder: ModelDecoder.fastestdet(overlap: 0.45)
    )

    private func frame(_ path: String) throws -> Frame {
        let source = GStreamerSource(SourceSettings(kind: .file(path: SharedData.path(path))))
        try source.start()
        defer { source.stop() }
        guard case .frame(let frame) = source.next(timeout: .seconds(10)) else {
            throw DetectorError("no picture in \(path)")
        }
        return frame
    }

    /// Feeds the network a picture of its input size, computed one value at a time. The graph's preprocessing changes
    /// no box.
    @Test(arguments: [true, false])
    func theInferenceGraphChangesNoBox(isYOLOX: Bool) throws {
        let network = isYOLOX ? Self.yolox : Self.fastestDet
        let frame = try frame("corpora/coco-dev/000000000025.jpg")
        var found: [ClassifiedBox] = []
        try ObjectNetwork(InferenceOptions(path: network.path, input: network.input), decoder: network.decoder)
            .find(in: FrameView(frame), minimumScore: 0.3, proposalsBelow: nil, into: &found)
        #expect(!found.isEmpty)
        let reference = try ReferenceDetection(frame, network.path, network.input, network.decoder, 0.25)
        for object in found {
            let visible = object.box.clipped(width: Float(frame.width), height: Float(frame.height))
            let box = try #require(visible)
            let isThere = reference.boxes.contains {
                $0.classIndex == object.classIndex && $0.box.intersectionOverUnion(box) > 0.95
                    && abs($0.score - object.score) < 0.03
            }
            #expect(isThere, "\(object)")
        }
    }
}
