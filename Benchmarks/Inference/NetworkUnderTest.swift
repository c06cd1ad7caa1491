// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Detectors
import Frames
import Inference
import ModelCatalog
import Settings

/// A model of the catalogue with its decoder, as a lane runs it.
struct NetworkUnderTest {
    let detect: (FrameView) throws -> [ClassifiedBox]
    /// The compiled graph alone on the last frame.
    let inferAgain: () throws -> Void

    /// - Parameter frame: what comes; YuNet's input has its shape.
    init(_ entry: ModelEntry, folder: String, width: Int, height: Int, cache: String? = nil, score: Float = 0.5) throws
    {
        var options = InferenceOptions(
            path: "\(folder)/\(entry.network.name)", input: entry.input, cacheFolder: cache)
        switch entry.decoder {
        case .yunet:
            (options.input.width, options.input.height) = (width, height)
            options.input.resize = .stretch
            let model = try InferenceModel(options)
            let decoder = try YuNetDecoder(outputs: model.outputs, minimumScore: score)
            var faces: [FaceCandidate] = []
            detect = { view in
                try model.infer(view)
                try decoder.decode(model.tensors, width: width, height: height, into: &faces)
                return faces.map { ClassifiedBox(box: model.placement.picture($0.box), score: $0.score, classIndex: 0) }
            }
            inferAgain = { try model.inferAgain() }
        case .softmax, .logits:
            let model = try ClassificationModel(options, decoder: entry.decoder, labels: nil, limit: 5)
            detect = { view in
                _ = try model.classify(view)
                return []
            }
            inferAgain = { try model.inferAgain() }
        default:
            let network = try ObjectNetwork(options, decoder: entry.decoder)
            detect = { view in
                var boxes: [ClassifiedBox] = []
                try network.find(in: view, minimumScore: score, proposalsBelow: nil, into: &boxes)
                boxes.suppressOverlaps(above: network.maximumOverlap, perClass: true, limit: 300)
                return boxes.compactMap { found in
                    var found = found
                    let (width, height) = (Float(view.frame.width), Float(view.frame.height))
                    guard let visible = found.box.clipped(width: width, height: height) else { return nil }
                    found.box = visible
                    return found
                }
            }
            inferAgain = { try network.inferAgain() }
        }
    }
}

/// Selects a model by its catalogue entry.
struct ModelArguments: ParsableArguments {
    @Option(help: "The catalogue.")
    var catalog = "models/catalog.toml"

    @Option(help: "The folder of its files.")
    var models = "../shared/models"

    func entry(_ name: String) throws -> ModelEntry {
        guard let entry = try ModelCatalog.load(file: catalog)[name] else {
            throw ValidationError("the catalogue has no model \"\(name)\"")
        }
        return entry
    }
}
