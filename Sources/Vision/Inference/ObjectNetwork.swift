// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import ModelCatalog

/// A network that gives boxes with classes, at one size of its input. Used by one thread.
package final class ObjectNetwork {
    /// The overlap above which two boxes are one thing.
    package let maximumOverlap: Float
    private let model: InferenceModel
    private let decoder: any BoxDecoder

    package var options: InferenceOptions { model.options }
    package var input: ModelInput { model.options.input }
    /// How many classes it tells apart; nil where its outputs do not say.
    package var classCount: Int? { decoder.classCount }
    package var hasObjectness: Bool { decoder.hasObjectness }

    /// Reads the network; throws when it is not what `decoder` reads.
    package init(_ options: InferenceOptions, decoder: ModelDecoder) throws(DetectorError) {
        model = try InferenceModel(options)
        let size = NetworkSize(width: options.input.width, height: options.input.height)
        (self.decoder, maximumOverlap) = try decoder.boxes(model.outputs, input: size)
    }

    /// Runs the network alone, again: what `find` is measured against. The last frame must still be there.
    package func inferAgain() throws(DetectorError) { try model.inferAgain() }

    /// See `InferenceModel.rest`.
    package func rest() { model.rest() }

    /// Appends the boxes that score `minimumScore` or more, overlapping ones too, in pixels of the frame; not clipped.
    ///
    /// - Parameter classScore: a box whose class scores less is a proposal without a class; nil: no proposals.
    package func find(
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
