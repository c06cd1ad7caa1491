// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Inference
import ModelCatalog
import Observations
import Settings

/// Objects by a network of the catalogue.
final class ObjectDetector: Detector {
    /// Networks kept for pictures of other shapes.
    private static let keptNetworks = 4

    private let entry: ModelEntry
    private let settings: ObjectSettings
    private let selection: ObjectSelection
    private let region: NormalizedRegion
    private let minimumScore: Float
    /// Most recent last.
    private var networks: [ObjectNetwork]
    private var boxes: [ClassifiedBox] = []

    /// Reads the model and checks it against its entry; it is compiled for the shape of the first frame.
    ///
    /// - Parameter low: in a stream, the least score of a box that may continue a track. A box that starts a track has
    ///   `confidence`.
    init(
        _ entry: ModelEntry, path: String, labels: [String], settings: ObjectSettings, low: Float, cacheFolder: String?
    ) throws(DetectorError) {
        self.entry = entry
        self.settings = settings
        let confidence = Float(settings.confidence)
        minimumScore = settings.mode == .stream ? min(low, confidence) : confidence
        region = NormalizedRegion(settings.common.roi)
        let options = InferenceOptions(
            path: path, input: entry.input, device: settings.device, threads: settings.threads,
            cacheFolder: cacheFolder)
        let network: ObjectNetwork
        do {
            network = try ObjectNetwork(options, decoder: entry.decoder)
        } catch {
            throw DetectorError("the model \(entry.name) cannot be used: \(error)")
        }
        if !labels.isEmpty, let classes = network.classCount, classes != labels.count {
            throw DetectorError("the model \(entry.name) has \(classes) classes, and \(labels.count) labels")
        }
        if settings.any, !network.hasObjectness {
            throw DetectorError(
                "the model \(entry.name) has no objectness, which object.any needs; models of the decoders yolox and "
                    + "fastestdet have it")
        }
        networks = [network]
        selection = try ObjectSelection(settings, labels: labels, model: entry.name)
    }

    func rest() { for network in networks { network.rest() } }

    func detect(in frame: Frame) throws(DetectorError) -> [Detection] {
        let view = FrameView(frame, region: region)
        guard !view.isEmpty else { return [] }
        boxes.removeAll(keepingCapacity: true)
        let network = try network(for: view)
        try network.find(
            in: view, minimumScore: minimumScore, proposalsBelow: settings.any ? Float(settings.confidence) : nil,
            into: &boxes)
        return selection.objects(
            &boxes, maximumOverlap: network.maximumOverlap, width: Float(frame.width), height: Float(frame.height))
    }

    private func network(for view: FrameView) throws(DetectorError) -> ObjectNetwork {
        let input =
            settings.mode == .stream ? entry.input.fitted(width: view.width, height: view.height) : entry.input
        if let known = networks.lastIndex(where: { $0.input == input }) {
            if known != networks.count - 1 { networks.append(networks.remove(at: known)) }
        } else {
            var options = networks[networks.count - 1].options
            options.input = input
            if networks.count == Self.keptNetworks { networks.removeFirst() }
            networks.append(try ObjectNetwork(options, decoder: entry.decoder))
        }
        return networks[networks.count - 1]
    }
}

extension ModelInput {
    /// The input without the padding that a letterboxed picture of this size would not need. A picture of 16:9 leaves
    /// two fifths of a square network empty, and they cost what the rest does. The input stays as it is if the network
    /// cannot be reshaped, or the picture is not letterboxed.
    func fitted(width pictureWidth: Int, height pictureHeight: Int) -> ModelInput {
        guard let step = multipleOf, case .letterbox = resize else { return self }
        let scale = min(Double(width) / Double(pictureWidth), Double(height) / Double(pictureHeight))
        func side(_ picture: Int, _ most: Int) -> Int {
            min(most, max(step, Int((Double(picture) * scale / Double(step)).rounded(.up)) * step))
        }
        var fitted = self
        fitted.width = side(pictureWidth, width)
        fitted.height = side(pictureHeight, height)
        return fitted
    }
}
