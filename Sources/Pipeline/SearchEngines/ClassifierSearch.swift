// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import GStreamerSource
import Inference
import Installation
import Search

/// Recognizes an object with a classifier of the catalogue.
final class ClassifierSearch: BlockingSearch {
    private let setting: String
    private let models: ModelLibrary
    private let limit: Int
    private let (device, threads): (String, Int)
    private var loaded: (model: ClassificationModel, labels: [String])?

    let needsCrop = true

    /// - Parameter model: a catalogue name, or `auto`.
    init(model: String, models: ModelLibrary, limit: Int, device: String, threads: Int) {
        setting = model
        self.models = models
        self.limit = limit
        (self.device, self.threads) = (device, threads)
    }

    func answer(_ query: SearchQuery, _ cancellation: SearchCancellation) -> SearchAnswer {
        guard let crop = query.crop else {
            return .failed(SearchFailure(.crop, retryable: true, message: "no picture of the object"))
        }
        do {
            let (model, labels) = try load()
            let frame = try GStreamerSource.picture(of: crop)
            return .results(
                try model.classify(FrameView(frame)).map { entry in
                    let index = entry.classIndex
                    let label = labels.indices.contains(index) ? labels[index] : "class \(index)"
                    return SearchResult(id: String(index), title: label, confidence: entry.probability)
                })
        } catch {
            return .failed(SearchFailure(.engine, retryable: false, message: "\(error)"))
        }
    }

    private func load() throws -> (model: ClassificationModel, labels: [String]) {
        if let loaded { return loaded }
        let entry = try models.model(setting, kind: .classifier)
        let labels = try models.labels(of: entry)
        let options = InferenceOptions(
            path: try models.installedPath(of: entry), input: entry.input, device: device, threads: threads,
            cacheFolder: models.cacheFolder)
        let model = try ClassificationModel(
            options, decoder: entry.decoder, labels: labels.isEmpty ? nil : labels.count, limit: limit)
        loaded = (model, labels)
        return (model, labels)
    }
}
