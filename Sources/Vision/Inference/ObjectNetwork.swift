import Detectors
import Frames
import Inference
import ModelCatalog

/// A network that gives boxes with classes, at one size of its input.
final class ObjectNetwork {
    let maximumOverlap: Float
    private let model: InferenceModel
    private let decoder: any BoxDecoder

    var options: InferenceOptions { model.options }
    var input: ModelInput { model.options.input }
    var classCount: Int? { decoder.classCount }
    var hasObjectness: Bool { decoder.hasObjectness }

    init(_ options: InferenceOptions, decoder: ModelDecoder) throws(DetectorError) {
        model = try InferenceModel(options)
        let size = NetworkSize(width: options.input.width, height: options.input.height)
        let outputs = model.outputs
        switch decoder {
        case .yolox(let strides, let overlap):
            self.decoder = try YOLOXDecoder(outputs: outputs, input: size, strides: strides)
            maximumOverlap = overlap
        case .fastestdet(let overlap):
            self.decoder = try FastestDetDecoder(outputs: outputs, input: size)
            maximumOverlap = overlap
        case .ssd(let form, let background, let overlap):
            self.decoder = try SSDDecoder(
                outputs: outputs, input: size, isDetectionOutput: form == .detectionOutput,
                hasBackground: background == .first)
            maximumOverlap = overlap
        case .nanodet(let strides, let bins, let overlap):
            self.decoder = try NanoDetDecoder(outputs: outputs, input: size, strides: strides, bins: bins)
            maximumOverlap = overlap
        case .yunet, .softmax, .logits, .embedding:
            throw DetectorError("its decoder is \(decoder.name.rawValue), which gives no boxes with classes")
        }
    }

    /// Appends the boxes that score `minimumScore` or more, overlapping ones too, in pixels of the frame; not clipped.
    ///
    /// - Parameter classScore: a box whose class scores less is a proposal without a class; nil: no proposals.
    func find(
        in view: FrameView, minimumScore: Float, proposalsBelow classScore: Float?, into boxes: inout [ClassifiedBox]
    ) throws(DetectorError) {
        let first = boxes.count
        try model.infer(view)
        try decoder.decode(
            model.tensors, minimumScore: minimumScore, proposalsBelow: classScore, into: &boxes)
        let placement = model.placement
        for index in first..<boxes.count {
            var box = placement.picture(boxes[index].box)
            (box.x, box.y) = (box.x + Float(view.x), box.y + Float(view.y))
            boxes[index].box = box
        }
    }
}
