// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Inference
import ModelCatalog
import Observations

/// The boxes of a network whose input bytes are computed from the definitions. The graph has no resize and no colour
/// conversion.
struct ReferenceDetection {
    let boxes: [ClassifiedBox]

    init(_ frame: Frame, _ path: String, _ input: ModelInput, _ decoder: ModelDecoder, _ score: Float) throws {
        var plain = input
        plain.mean = [0, 0, 0]
        plain.scale = [1, 1, 1]
        plain.layout = .nhwc
        let values = ReferencePreprocessing(source: MemoryPicture(frame), input: plain).values
        let bytes = values.map { UInt8(min(max($0.rounded(), 0), 255)) }
        var options = InferenceOptions(path: path, input: input)
        options.input.resize = .stretch
        let model = try InferenceModel(options)
        let kind = InferencePicture.Kind(format: .bgr, width: input.width, height: input.height)
        var found: [ClassifiedBox] = []
        try bytes.withUnsafeBufferPointer { buffer throws(DetectorError) in
            guard let base = buffer.baseAddress else { return }
            try model.infer(InferencePicture(kind, planes: Plane(base: base, stride: 3 * input.width)))
            let size = NetworkSize(width: input.width, height: input.height)
            let reader: any BoxDecoder =
                if case .yolox(let strides, _) = decoder {
                    try YOLOXDecoder(outputs: model.outputs, input: size, strides: strides)
                } else {
                    try FastestDetDecoder(outputs: model.outputs, input: size)
                }
            try reader.decode(model.tensors, minimumScore: score, into: &found)
        }
        let (width, height) = (Float(frame.width), Float(frame.height))
        var (scaleX, scaleY) = (Float(input.width) / width, Float(input.height) / height)
        if case .letterbox = input.resize { (scaleX, scaleY) = (min(scaleX, scaleY), min(scaleX, scaleY)) }
        boxes = found.compactMap { object in
            var object = object
            let box = Box(
                x: object.box.x / scaleX, y: object.box.y / scaleY, width: object.box.width / scaleX,
                height: object.box.height / scaleY)
            guard let visible = box.clipped(width: width, height: height) else { return nil }
            object.box = visible
            return object
        }
    }
}

extension MemoryPicture {
    /// A copy of the frame's samples, but for an odd last column or row.
    convenience init(_ frame: Frame) {
        let view = FrameView(frame)
        let picture = InferencePicture(view)
        self.init(picture.kind)
        fill(from: view.planes)
    }
}
