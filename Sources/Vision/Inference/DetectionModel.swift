import Detectors
import Frames
import ModelCatalog
import Observations

/// A network that finds boxes with classes in pictures. Used by one thread.
package final class DetectionModel {
    private let model: InferenceModel
    private let decoder: any BoxDecoder
    private let overlap: Float
    private let selection: Selection
    private var boxes: [ClassifiedBox] = []

    /// What is kept of the boxes that the network proposes.
    package struct Selection: Sendable {
        /// 0...1.
        package var minimumScore: Float
        /// Whether a box goes when a better one of another class is in its place.
        package var isClassAgnostic: Bool
        /// At most so many, the best.
        package var limit: Int

        package init(minimumScore: Float, isClassAgnostic: Bool = false, limit: Int = 300) {
            self.minimumScore = minimumScore
            self.isClassAgnostic = isClassAgnostic
            self.limit = limit
        }
    }

    /// Reads the network; throws when it is not what `decoder` reads, or does not have as many classes as there are labels.
    ///
    /// - Parameter labels: how many there are; nil: not known.
    package init(
        _ options: InferenceOptions, decoder: ModelDecoder, labels: Int?, selection: Selection
    ) throws(DetectorError) {
        model = try InferenceModel(options)
        self.selection = selection
        let size = NetworkSize(width: options.input.width, height: options.input.height)
        do {
            (self.decoder, overlap) = try decoder.boxes(model.outputs, input: size)
        } catch {
            throw mismatch(options.path, error)
        }
        try check(classes: self.decoder.classCount, labels: labels, path: options.path)
    }

    /// How many classes it tells apart; nil where its outputs do not say.
    package var classCount: Int? { decoder.classCount }

    /// Compiles for pictures to come.
    package func prepare(for kind: InferencePicture.Kind) throws(DetectorError) { try model.prepare(for: kind) }

    /// What is in the view: best first, in pixels of the frame, clipped to it.
    package func detect(in view: FrameView) throws(DetectorError) -> [ClassifiedBox] {
        try model.infer(view)
        return try decode(view)
    }

    /// Runs the network alone, again: what `detect` is measured against. The last frame must still be there.
    package func inferAgain() throws(DetectorError) { try model.inferAgain() }

    private func decode(_ view: FrameView) throws(DetectorError) -> [ClassifiedBox] {
        boxes.removeAll(keepingCapacity: true)
        try decoder.decode(model.tensors, minimumScore: selection.minimumScore, into: &boxes)
        boxes.suppressOverlaps(above: overlap, perClass: !selection.isClassAgnostic, limit: selection.limit)
        let placement = model.placement
        var kept = 0
        for index in boxes.indices {
            var found = boxes[index]
            var box = placement.picture(found.box)
            (box.x, box.y) = (box.x + Float(view.x), box.y + Float(view.y))
            guard let visible = box.clipped(width: Float(view.frame.width), height: Float(view.frame.height)) else {
                continue
            }
            found.box = visible
            boxes[kept] = found
            kept += 1
        }
        boxes.removeLast(boxes.count - kept)
        return boxes
    }
}
