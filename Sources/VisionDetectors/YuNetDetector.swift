import Detectors
import Frames
import Observations
import Settings

/// Faces by YuNet through OpenVINO: box, score and five landmarks.
final class YuNetDetector: Detector {
    /// How wide, in network pixels, a face of the smallest wanted size is. YuNet finds faces from about 10 pixels on; more gives
    /// steadier boxes and landmarks and costs in proportion to the area.
    private static func smallestFacePixels(_ mode: DetectionMode) -> Double { mode == .fast ? 32 : 64 }
    private static let narrowestInput = 160
    private static let widestInput = 1280
    /// Networks kept for pictures of other shapes.
    private static let keptNetworks = 8

    private let settings: FaceSettings
    private let selection: FaceSelection
    private let attributes: (any FaceAttributes)?
    private let region: NormalizedRegion
    private let path: String
    private let cacheFolder: String?
    private var networks: [(options: InferenceModel.Options, model: InferenceModel)] = []

    /// Reads the model and makes sure that it is one of YuNet's kind; it is compiled for the shape of the first frame.
    init(path: String, settings: FaceSettings, attributes: (any FaceAttributes)?, cacheFolder: String?)
        throws(DetectorError)
    {
        self.settings = settings
        self.attributes = attributes
        self.path = path
        self.cacheFolder = cacheFolder
        selection = FaceSelection(settings)
        region = NormalizedRegion(settings.common.roi)
        let probe = try InferenceModel(
            InferenceModel.Options(
                path: path, device: settings.device, threads: settings.threads, cacheFolder: nil, format: .nv12,
                inputWidth: 0, inputHeight: 0))
        for stride in YuNetDecoder.strides where !probe.hasOutput("cls_\(stride)") {
            throw DetectorError("\(path) is not a YuNet model: it has no output \"cls_\(stride)\"")
        }
    }

    func detect(in frame: Frame) throws(DetectorError) -> [Detection] {
        let view = FrameView(frame, region: region)
        guard !view.isEmpty else { return [] }
        let (width, height) = inputSize(for: view)
        let model = try network(frame.format, width, height, view)
        try model.infer(view)
        var outputs: [YuNetDecoder.StrideOutput] = []
        for stride in YuNetDecoder.strides {
            outputs.append(
                YuNetDecoder.StrideOutput(
                    classScores: try model.output("cls_\(stride)"), objectScores: try model.output("obj_\(stride)"),
                    boxes: try model.output("bbox_\(stride)"), points: try model.output("kps_\(stride)")))
        }
        let decoder = YuNetDecoder(inputWidth: width, inputHeight: height, minimumScore: Float(settings.confidence))
        let scale = model.inputScale
        let faces = try decoder.decode(outputs).compactMap { detection($0, scale: scale, in: view) }
        var kept = selection.keep(faces, in: frame)
        try attributes?.read(&kept, in: frame)
        if !settings.landmarks { kept.removeLandmarks() }
        return kept
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

    private func network(_ format: PixelFormat, _ width: Int, _ height: Int, _ view: FrameView) throws(DetectorError)
        -> InferenceModel
    {
        let options = InferenceModel.Options(
            path: path, device: settings.device, threads: settings.threads, cacheFolder: cacheFolder, format: format,
            inputWidth: width, inputHeight: height)
        if let known = networks.first(where: { $0.options == options }) { return known.model }
        let model = try InferenceModel(options, frameSize: (view.width, view.height))
        if networks.count == Self.keptNetworks { networks.removeFirst() }
        networks.append((options, model))
        return model
    }

    private func detection(
        _ candidate: YuNetDecoder.Candidate, scale: (x: Float, y: Float), in view: FrameView
    ) -> Detection? {
        let (left, top) = (Float(view.x), Float(view.y))
        let box = Box(
            x: candidate.box.x / scale.x + left, y: candidate.box.y / scale.y + top,
            width: candidate.box.width / scale.x, height: candidate.box.height / scale.y)
        guard let visible = box.clipped(width: Float(view.frame.width), height: Float(view.frame.height)) else {
            return nil
        }
        let points = candidate.points.map { Point(x: $0.x / scale.x + left, y: $0.y / scale.y + top) }
        let face = FacePoints.face(points, width: view.frame.width, height: view.frame.height)
        return Detection(box: visible, confidence: candidate.score, content: .face(face))
    }
}

extension NormalizedRegion {
    init(_ region: RegionOfInterest) {
        self.init(x: region.x, y: region.y, width: region.width, height: region.height)
    }
}
