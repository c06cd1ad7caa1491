// SPDX-License-Identifier: Apache-2.0
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
    /// The number of a frame's widest faces that get a closer look.
    private static let closerLooks = 5

    /// Faces of this score and more are covered in pictures, also where `confidence` keeps them out of the result. With
    /// 0.3, 1126 of 1145 faces of the shared films were covered; with 0.1, 1140; with 0.05, 1140.
    private static let coveredScore: Float = 0.1
    /// A proportion of a weak face's box, which is less exact than others. It is added on each side.
    private static let weakMargin: Float = 0.1

    private let settings: FaceSettings
    private let selection: FaceSelection
    private let attributes: (any FaceAttributes)?
    private let region: NormalizedRegion
    private let decoder: YuNetDecoder
    /// For faces that are only covered; nil if pictures cover none, or if `confidence` is lower.
    private let weakDecoder: YuNetDecoder?
    /// How the file is read; each look has an input of its own.
    private let options: InferenceOptions
    /// For inputs of each shape; most recent last.
    private var models: [InferenceModel]
    /// Made for the first face that the plan shows reduced, and dropped at rest without a face.
    private var closerLook: CloserLook?
    private var poses = FacePoses()
    /// Whether frames are those of a stream, where a frame's results may rest on earlier ones.
    private var isStream = false
    private var finerLooks = FinerLookSchedule()
    /// Faces below `min_size` of the last frame.
    private(set) var withheld: [Explanation.Untracked] = []
    private(set) var unreported: [Box] = []
    /// Whether the last frame shows a face that is reported.
    private var showsFace = false
    /// Whether the picture has been at rest since the last frame, so that a finer look shows nothing new.
    private var isAtRest = false
    /// For views and frames of the sizes in `planned`.
    private var plan: FaceScanPlan?
    private var planned: [Int] = []
    /// The faces of one pass, in pixels of the network's input.
    private var found: [FaceCandidate] = []
    private var weak: [FaceCandidate] = []
    /// The faces of all passes, in pixels of the frame.
    private var faces: [FaceCandidate] = []
    /// The faces that the whole picture shows large enough.
    private var clear: [FaceCandidate] = []

    /// Reads the model and makes sure that it is one of YuNet's kind; it is compiled for the shape of the first frame.
    ///
    /// - Parameter isCovered: whether pictures cover faces, so that weak ones count too.
    init(
        path: String, settings: FaceSettings, attributes: (any FaceAttributes)?, cacheFolder: String?,
        isCovered: Bool = false
    ) throws(DetectorError) {
        self.settings = settings
        self.attributes = attributes
        selection = FaceSelection(settings)
        region = NormalizedRegion(settings.common.roi)
        options = InferenceOptions(
            path: path, input: ModelInput(width: 320, height: 192), device: settings.device,
            threads: settings.threads, cacheFolder: cacheFolder)
        let model = try InferenceModel(options)
        do {
            decoder = try YuNetDecoder(outputs: model.outputs, minimumScore: Float(settings.confidence))
            weakDecoder =
                isCovered && Float(settings.confidence) > Self.coveredScore
                ? try YuNetDecoder(outputs: model.outputs, minimumScore: Self.coveredScore) : nil
        } catch {
            throw DetectorError("\(path) is \(error)")
        }
        models = [model]
    }

    func expect(_ hints: () -> [TrackHint]) { isStream = true }

    /// Also drops the networks that a picture without a face seldom needs. A compiled network keeps 9 MiB, and to load
    /// it from the cache again takes 30 ms of CPU.
    func rest() {
        isAtRest = true
        if let plan { models.removeAll { !plan.needs($0.options.input) } }
        if !showsFace { closerLook = nil }
        for model in models { model.rest() }
        closerLook?.rest()
        attributes?.rest()
    }

    func detect(in frame: Frame) throws(DetectorError) -> [Detection] {
        let view = FrameView(frame, region: region)
        guard !view.isEmpty else { return [] }
        let plan = plan(for: view)
        faces.removeAll(keepingCapacity: true)
        unreported.removeAll(keepingCapacity: true)
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
        withheld.removeAll(keepingCapacity: true)
        for face in faces where !wanted.contains(where: { $0.box == face.box }) { unreported.append(face.box) }
        showsFace = !wanted.isEmpty
        if isStream, !isAtRest, !showsFace { try checkMinSize(of: view, after: plan.passes[0]) }
        isAtRest = false
        let scale = Float(plan.passes[0].scale)
        let look = try closerLook(at: wanted, after: scale)
        let scales = try refine(&wanted, after: scale, in: frame, by: look)
        let read = try look.map { look throws(DetectorError) in
            try poses.read(wanted, after: scales, isStream: isStream, in: frame, by: look)
        }
        var kept = wanted.indices.compactMap { index in
            detection(wanted[index], scale: scales[index], pose: read?[index], in: frame)
        }
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

    /// The lower limit of `min_size`. Smaller faces are never found.
    private static let smallestFace = 0.005

    /// A face may be seen by the whole picture and by tiles. A face that the whole picture shows large enough is taken
    /// from there, whatever a tile's score. Tiles resize, which moves points: by 12 % of the eye distance instead of
    /// 2 % in the shared astronaut.
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
        try weakDecoder?.decode(model.tensors, width: pass.inputWidth, height: pass.inputHeight, into: &weak)
        for candidate in weak where candidate.score < Float(settings.confidence) {
            let face = candidate.placed(placement, x: Float(pass.x), y: Float(pass.y))
            let box = face.placed(InputPlacement(), x: Float(view.x), y: Float(view.y)).box
            unreported.append(box.grown(byX: Self.weakMargin * box.width, y: Self.weakMargin * box.height))
        }
        for candidate in found {
            let face = candidate.placed(placement, x: Float(pass.x), y: Float(pass.y))
            guard pass.holds(face.box, ofPictureWidth: view.width, height: view.height) else { continue }
            faces.append(face.placed(InputPlacement(), x: Float(view.x), y: Float(view.y)))
        }
    }

    /// Searches a view without a face for smaller ones, where that is due.
    private func checkMinSize(of view: FrameView, after pass: FaceScanPlan.Pass) throws(DetectorError) {
        let finest = FaceScanPlan.finest(width: view.width, height: view.height)
        guard settings.checkMinSize, finest[0].scale > 1.05 * pass.scale,
            finerLooks.isDue(at: view.frame.info.seconds)
        else { return }
        faces.removeAll(keepingCapacity: true)
        for tile in finest { try look(at: tile, of: view) }
        faces.suppressOverlaps(above: YuNetDecoder.maximumOverlap, perClass: false)
        let limit = selection.minimumWidth * Float(view.frame.width)
        for face in faces where face.box.width < limit {
            withheld.append(
                Explanation.Untracked(
                    box: face.box, confidence: face.score, cause: .belowMinSize(limit: selection.minimumWidth)))
        }
        if !withheld.isEmpty { finerLooks.end() }
    }

    private func model(for pass: FaceScanPlan.Pass) throws(DetectorError) -> InferenceModel {
        var options = options
        options.input = pass.input(like: options.input)
        if let known = models.lastIndex(where: { $0.options.input == options.input }) {
            if known != models.count - 1 { models.append(models.remove(at: known)) }
        } else {
            let model = try InferenceModel(options)
            if models.count == Self.keptModels { models.removeFirst() }
            models.append(model)
        }
        return models[models.count - 1]
    }

    /// The closer look at `faces`; nil if the whole picture shows enough, or no points are wanted.
    ///
    /// - Parameter scale: network pixels per pixel of the frame, where it was seen as a whole.
    private func closerLook(at faces: [FaceCandidate], after scale: Float) throws(DetectorError) -> CloserLook? {
        let isWorthwhile =
            settings.mode == .accurate ? CloserLook.isWorthwhile(after: scale) : FacePoses.areWorthwhile(after: scale)
        guard isWorthwhile, settings.landmarks || attributes != nil, !faces.isEmpty else { return nil }
        if let closerLook { return closerLook }
        let look = try CloserLook(options, decoder: decoder, isForPoints: settings.mode == .accurate)
        closerLook = look
        return look
    }

    /// Betters the points of the widest faces, where they are wanted accurate.
    ///
    /// - Parameter scale: network pixels per pixel of the frame, where it was seen as a whole.
    /// - Returns: the scale at which each face was seen.
    private func refine(_ faces: inout [FaceCandidate], after scale: Float, in frame: Frame, by look: CloserLook?)
        throws(DetectorError) -> [Float]
    {
        var scales = [Float](repeating: scale, count: faces.count)
        guard settings.mode == .accurate, let look else { return scales }
        let widest = faces.indices.sorted { faces[$0].box.width > faces[$1].box.width }
        for index in widest.prefix(Self.closerLooks) {
            guard let closer = try look.refine(&faces[index], after: scale, in: frame) else { continue }
            scales[index] = closer
        }
        return scales
    }

    /// - Parameter pose: the face's, where its points do not tell it.
    private func detection(_ candidate: FaceCandidate, scale: Float, pose: Face.Euler?, in frame: Frame) -> Detection? {
        guard let visible = candidate.box.clipped(width: Float(frame.width), height: Float(frame.height)) else {
            return nil
        }
        var face = FacePoints.face(candidate.points, width: frame.width, height: frame.height)
        if !FacePoses.isKnown(candidate, after: scale) { face.euler = pose }
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
