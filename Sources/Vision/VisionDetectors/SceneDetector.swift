// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Inference
import ModelCatalog
import Observations
import Settings

/// Labels of the whole picture, or of a part of it, by a classifier. Each label that holds is a detection, and all have
/// the same box.
final class SceneDetector: Detector {
    /// Classes of a picture that are looked at: what is not among the best of so many has less than a sixty-fourth.
    private static let consideredClasses = 64

    private let model: ClassificationModel
    private let labels: [String]
    private let region: NormalizedRegion
    private var hysteresis: LabelHysteresis
    /// The model's scores of the last picture.
    private var scores: [ClassScores.Entry] = []

    /// Reads the model and makes sure that it has a class for each label.
    init(
        _ options: InferenceOptions, decoder: ModelDecoder, labels: [String], settings: SceneSettings
    ) throws(DetectorError) {
        model = try ClassificationModel(
            options, decoder: decoder, labels: labels.count, limit: Self.consideredClasses)
        self.labels = labels
        region = NormalizedRegion(settings.common.roi)
        hysteresis = LabelHysteresis(
            top: settings.top, enter: Float(settings.confidence), leave: Float(settings.leavingConfidence),
            smoothing: settings.smoothing / .seconds(1), longestStep: settings.longestStep)
    }

    func rest() { model.rest() }

    func detect(in frame: Frame) throws(DetectorError) -> [Detection] {
        let view = FrameView(frame, region: region)
        guard !view.isEmpty else { return [] }
        let box = Box(
            x: Float(view.x), y: Float(view.y), width: Float(view.width), height: Float(view.height))
        scores = try model.classify(view)
        return hysteresis.update(scores, at: frame.info.seconds).map { entry in
            let label = Label(text: labels[entry.classIndex], index: entry.classIndex, confidence: entry.probability)
            return Detection(box: box, confidence: entry.probability, content: .scene(SceneLabels(labels: [label])))
        }
    }

    /// The picture stays as it was, so its labels go on to rise and fall.
    func pass(_ frame: FrameInfo) { _ = hysteresis.update(scores, at: frame.seconds) }
}
