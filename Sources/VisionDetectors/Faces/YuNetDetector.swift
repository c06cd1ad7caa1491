import Detectors
import Frames
import Inference
import ModelCatalog
import Observations
import Settings

/// Faces by YuNet through OpenVINO: box, score, five landmarks and pose.
final class YuNetDetector: Detector {
    /// Models kept for pictures of other shapes.
    private static let keptModels = 8
    /// Of a frame's faces so many, the widest, are looked at closer.
    private static let closerLooks = 5

    private let settings: FaceSettings
    private let selection: FaceSelection
    private let attributes: (any FaceAttributes)?
    private let region: NormalizedRegion
    private let decoder: YuNetDecoder
    /// For inputs of each shape; most recent last. The first one is what the file was checked with.
    private var models: [InferenceModel]
    /// Made when a plan shows faces reduced.
    private var closerLook: CloserLook?
    /// For views and frames of the sizes in `planned`.
    private var plan: FaceScanPlan?
    private var planned: [Int] = []
    /// Of one pass, in pixels of the network's input.
    private var found: [FaceCandidate] = []
    /// Of all passes, in pixels of the frame.
    private var faces: [FaceCandidate] = []
    /// Those that the whole picture shows large enough.
    private var clear: [FaceCandidate] = []

    /// Reads the model and makes sure that it is one of YuNet's kind; it is compiled for the shape of the first frame.
    init(path: String, settings: FaceSettings, attributes: (any FaceAttributes)?, cacheFolder: String?)
        throws(DetectorError)
    {
        self.settings = settings
        self.attributes = attributes
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
        let plan = plan(for: view)
        faces.removeAll(keepingCapacity: true)
        try look(at: plan.passes[0], of: view)
        if plan.passes.count > 1 {
            clear.removeAll(keepingCapacity: true)
            let clearWidth = Float(FaceScanPlan.facePixels.fast / plan.passes[0].scale)
            for face in faces where face.box.width >= clearWidth { clear.append(face) }
            for tile in plan.passes.dropFirst() { try look(at: tile, of: view) }
            unite()
        }
        let (width, height) = (Float(frame.width), Float(frame.height))
        var wanted = selection.keep(faces, in: frame) { $0.box.clipped(width: width, height: height) }
        let scales = try lookCloser(at: &wanted, after: Float(plan.passes[0].scale), in: frame)
        var kept = zip(wanted, scales).compactMap { detection($0, scale: $1, in: frame) }
        try attributes?.read(&kept, in: frame)
        if !settings.landmarks { kept.removeLandmarks() }
        return kept
    }

    private func plan(for view: FrameView) -> FaceScanPlan {
        let sizes = [view.width, view.height, view.frame.width]
        if let plan, planned == sizes { return plan }
        let made = FaceScanPlan(
            width: view.width, height: view.height,
            smallestFace: max(Self.smallestFace, settings.minSize) * Double(view.frame.width),
            isAccurate: settings.mode == .accurate)
        (plan, planned) = (made, sizes)
        return made
    }

    /// What `min_size` means at least; smaller faces are nobody's.
    private static let smallestFace = 0.005

    /// A face may be seen by the whole picture and by tiles. What the whole picture shows large enough is taken from there, whatever a tile's
    /// score: tiles resize, which moves points (by 12 % of the eye distance instead of 2 in the shared astronaut).
    private func unite() {
        faces.suppressOverlaps(above: YuNetDecoder.maximumOverlap, perClass: false)
        for index in faces.indices {
            let face = faces[index]
            if let whole = clear.first(where: {
                $0.box.intersectionOverUnion(face.box) > YuNetDecoder.maximumOverlap
            }) {
                faces[index] = whole
            }
        }
        // Two tiles' parts of one face are the same now.
        faces.suppressOverlaps(above: YuNetDecoder.maximumOverlap, perClass: false)
    }

    /// Adds what the network sees in a rectangle of the view.
    private func look(at pass: FaceScanPlan.Pass, of view: FrameView) throws(DetectorError) {
        let model = try model(for: pass)
        let part = view.part(x: pass.x, y: pass.y, width: pass.width, height: pass.height)
        try model.infer(part)
        try decoder.decode(model.tensors, width: pass.inputWidth, height: pass.inputHeight, into: &found)
        let placement = model.placement
        for candidate in found {
            let face = candidate.placed(placement, x: Float(pass.x), y: Float(pass.y))
            guard pass.holds(face.box, ofPictureWidth: view.width, height: view.height) else { continue }
            faces.append(face.placed(InputPlacement(), x: Float(view.x), y: Float(view.y)))
        }
    }

    private func model(for pass: FaceScanPlan.Pass) throws(DetectorError) -> InferenceModel {
        var options = models[models.count - 1].options
        (options.input.width, options.input.height) = (pass.inputWidth, pass.inputHeight)
        options.input.resize = pass.isTile ? .stretch : .inset(padding: 0)
        if let known = models.lastIndex(where: { $0.options.input == options.input }) {
            if known != models.count - 1 { models.append(models.remove(at: known)) }
        } else {
            let model = try InferenceModel(options)
            if models.count == Self.keptModels { models.removeFirst() }
            models.append(model)
        }
        return models[models.count - 1]
    }

    /// Betters the points of the widest faces, where they are wanted accurate.
    ///
    /// - Parameter scale: network pixels per pixel of the frame, where it was seen as a whole.
    /// - Returns: the scale at which each face was seen.
    private func lookCloser(at faces: inout [FaceCandidate], after scale: Float, in frame: Frame)
        throws(DetectorError) -> [Float]
    {
        var scales = [Float](repeating: scale, count: faces.count)
        guard settings.mode == .accurate, settings.landmarks || attributes != nil,
            CloserLook.isWorthwhile(after: scale)
        else { return scales }
        if closerLook == nil { closerLook = try CloserLook(models[0].options, decoder: decoder) }
        guard let closerLook else { return scales }
        // With the first frame, not with the first face: it is a compilation.
        try closerLook.prepare(for: frame)
        let widest = faces.indices.sorted { faces[$0].box.width > faces[$1].box.width }
        for index in widest.prefix(Self.closerLooks) {
            guard let closer = try closerLook.refine(&faces[index], after: scale, in: frame) else { continue }
            scales[index] = closer
        }
        return scales
    }

    /// Narrower faces have no pose, in network pixels: YuNet puts their points where a face that looks here has them. Of a roll, YuNet N's points
    /// turn by 5 % at 32 pixels, 40 at 48, 65 at 64 to 80, 80 at 112, 95 at 144; YuNet S's by 30 % up to 80, 70 at 112, 85 at 144.
    private static let narrowestPose: Float = 64

    /// - Parameter scale: network pixels per pixel of the frame.
    private func detection(_ candidate: FaceCandidate, scale: Float, in frame: Frame) -> Detection? {
        guard let visible = candidate.box.clipped(width: Float(frame.width), height: Float(frame.height)) else {
            return nil
        }
        var face = FacePoints.face(candidate.points, width: frame.width, height: frame.height)
        if candidate.box.width * scale < Self.narrowestPose { face.euler = nil }
        return Detection(box: visible, confidence: candidate.score, content: .face(face))
    }
}

extension FaceCandidate {
    /// From the network's pixels to those of the picture in which the rectangle that it saw begins at `x`, `y`.
    fileprivate func placed(_ placement: InputPlacement, x: Float, y: Float) -> FaceCandidate {
        var face = self
        face.box = placement.picture(box)
        (face.box.x, face.box.y) = (face.box.x + x, face.box.y + y)
        for index in points.indices {
            let point = placement.picture(points[index])
            face.points[index] = Point(x: point.x + x, y: point.y + y)
        }
        return face
    }
}

extension NormalizedRegion {
    init(_ region: RegionOfInterest) {
        self.init(x: region.x, y: region.y, width: region.width, height: region.height)
    }
}
