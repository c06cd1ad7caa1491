// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import ModelCatalog

/// A network that says what a picture shows. Used by one thread.
package final class ClassificationModel {
    private let model: InferenceModel
    private let scores: ClassScores
    private let limit: Int
    private var entries: [ClassScores.Entry] = []

    /// Reads the network; throws when it is not a classifier, or does not have as many classes as there are labels.
    ///
    /// - Parameters:
    ///   - decoder: `softmax` or `logits`.
    ///   - labels: how many there are; nil: not known.
    ///   - limit: how many classes are given.
    package init(_ options: InferenceOptions, decoder: ModelDecoder, labels: Int?, limit: Int) throws(DetectorError) {
        model = try InferenceModel(options)
        self.limit = limit
        do {
            scores = try decoder.classes(model.outputs)
        } catch {
            throw mismatch(options.path, error)
        }
        try check(classes: scores.classCount, labels: labels, path: options.path)
    }

    package var classCount: Int { scores.classCount }

    /// The best classes of what the view shows, best first.
    package func classify(_ view: FrameView) throws(DetectorError) -> [ClassScores.Entry] {
        try model.infer(view)
        return try decode()
    }

    /// Classifies a picture that must stay valid until this returns.
    package func classify(_ picture: InferencePicture) throws(DetectorError) -> [ClassScores.Entry] {
        try model.infer(picture)
        return try decode()
    }

    /// Runs the network alone, again: what `classify` is measured against. The last picture must still be there.
    package func inferAgain() throws(DetectorError) { try model.inferAgain() }

    /// See `InferenceModel.rest`.
    package func rest() { model.rest() }

    private func decode() throws(DetectorError) -> [ClassScores.Entry] {
        try scores.decode(model.tensors, limit: limit, into: &entries)
        return entries
    }
}
