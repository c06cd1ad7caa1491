import Detectors
import Frames
import Inference
import ModelCatalog
import Observations
import Settings

/// Faces by YuNet through OpenVINO: box, score and five landmarks.
final class YuNetDetector: Detector {
    /// How wide, in network pixels, a face of the smallest wanted size is. YuNet finds faces from about 10 pixels on; more gives
    /// steadier boxes and landmarks and costs in proportion to the area.
    private static func smallestFacePixels(_ mode: DetectionMode) -> Double { mode == .fast ? 32 : 64 }
    private static let narrowestInput = 160
    private static let widestInput = 1280
    /// Models kept for pictures of other shapes.
    private static let keptModels = 8

    private let settings: FaceSettings
    private let selection: FaceSelection
    private let region: NormalizedRegion
    private let decoder: YuNetDecoder
    /// For pictures of each shape; most recent last. The first one is what the file was checked with.
    private var models: [InferenceModel]
    private var faces: [FaceCandidate] = []

    /// Reads the model and makes sure that it is one of YuNet's kind; it is compiled for the shape of the first frame.
    init(path: String, settings: FaceSettings, cacheFolder: String?) throws(DetectorError) {
        self.settings = settings
        selection = FaceSelection(settings)
        region = NormalizedRegion(settings.common.roi)
        let model = try InferenceModel(
            InferenceOptions(
                path: path, input: ModelInput(width: 320, height: 192), device: settings.device,
                threads: settings.threads, cacheFolder: cacheFolder))
        do {
            decoder = try YuNetDecoder(outputs: model.outputs, minimumScore: Float(settings.confidence))
        } catch {
            throw DetectorError("\(path) is \(error)")
        }
        models = [model]
    }

    func detect(in frame: Frame) throws(DetectorError) -> [Detection] {
        let view = FrameView(frame, region: region)
        guard !view.isEmpty else { return [] }
        let (width, height) = inputSize(for: view)
        let model = try model(width, height)
        try model.infer(view)
        try decoder.decode(model.tensors, width: width, height: height, into: &faces)
        let placement = model.placement
        return selection.keep(faces.compactMap { detection($0, placement, in: view) }, in: frame)
    }

    /// A multiple of 32 each way, near to the view's own shape, so wide that the smallest wanted face has enough pixels.
    private func inputSize(for view: FrameView) -> (width: Int, height: Int) {
        let smallestFace = max(0.01, settings.minSize) * Double(view.frame.width)
        let reduction = Self.smallestFacePixels(settings.mode) / smallestFace
        let width = Double(view.width) * min(1, reduction)
        let rounded = min(max(Int((width / 32).rounded(.up)) * 32, Self.narrowestInput), Self.widestInput)
        let height = Double(rounded) * Double(view.height) / Double(view.width)
        return (rounded, min(max(Int((height / 32).rounded()) * 32, 32), 2 * Self.widestInput))
    }

    private func model(_ width: Int, _ height: Int) throws(DetectorError) -> InferenceModel {
        var options = models[models.count - 1].options
        (options.input.width, options.input.height) = (width, height)
        if let known = models.lastIndex(where: { $0.options.input == options.input }) {
            if known != models.count - 1 { models.append(models.remove(at: known)) }
        } else {
            let model = try InferenceModel(options)
            if models.count == Self.keptModels { models.removeFirst() }
            models.append(model)
        }
        return models[models.count - 1]
    }

    private func detection(
        _ candidate: FaceCandidate, _ placement: InputPlacement, in view: FrameView
    ) -> Detection? {
        let (left, top) = (Float(view.x), Float(view.y))
        var box = placement.picture(candidate.box)
        (box.x, box.y) = (box.x + left, box.y + top)
        guard let visible = box.clipped(width: Float(view.frame.width), height: Float(view.frame.height)) else {
            return nil
        }
        var face = Face()
        if settings.landmarks {
            face.landmarks = YuNetDecoder.landmarkNames.indices.map { index in
                let point = placement.picture(candidate.points[index])
                return Face.Landmark(
                    name: YuNetDecoder.landmarkNames[index], position: Point(x: point.x + left, y: point.y + top))
            }
        }
        return Detection(box: visible, confidence: candidate.score, content: .face(face))
    }
}

extension NormalizedRegion {
    init(_ region: RegionOfInterest) {
        self.init(x: region.x, y: region.y, width: region.width, height: region.height)
    }
}
