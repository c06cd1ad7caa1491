// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import ModelCatalog

/// A network that gives a vector for a picture. Used by one thread.
package final class EmbeddingModel {
    private let model: InferenceModel
    private let decoder: EmbeddingDecoder
    private var vector: [Float] = []

    /// Reads the network; throws when it has not one output.
    package init(_ options: InferenceOptions) throws(DetectorError) {
        model = try InferenceModel(options)
        do {
            decoder = try EmbeddingDecoder(outputs: model.outputs)
        } catch {
            throw mismatch(options.path, error)
        }
    }

    package var dimensions: Int { decoder.dimensions }

    /// The embedding of the view, as a vector of length 1.
    package func embed(_ view: FrameView) throws(DetectorError) -> [Float] {
        try model.infer(view)
        try decoder.decode(model.tensors, into: &vector)
        return vector
    }
}
