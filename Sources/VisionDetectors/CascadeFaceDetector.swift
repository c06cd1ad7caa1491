import CCascade
import Detectors
import Frames
import Observations
import Settings

/// Frontal faces by OpenCV's cascade: no model to install, no landmarks, and far slower and less sure than a network.
final class CascadeFaceDetector: Detector {
    /// Debian's `opencv-data`; the best of its frontal cascades on the project's pictures (`docs/performance.md`).
    static let path = "/usr/share/opencv4/haarcascades/haarcascade_frontalface_alt2.xml"
    private static let capacity = 64

    private let plugin: cocv_functions
    private let cascade: OpaquePointer
    private let selection: FaceSelection
    private let region: NormalizedRegion
    private let minimumSize: Double
    private let minimumConfidence: Float

    init(settings: FaceSettings) throws(DetectorError) {
        var plugin = cocv_functions()
        var isThere = false
        let missing = withErrorText { text, capacity in isThere = cocv_open(&plugin, text, capacity) }
        guard isThere else {
            throw DetectorError("the cascade needs OpenCV: \(missing); apt-get install libopencv-objdetect406")
        }
        var loaded: OpaquePointer?
        let complaint = withErrorText { text, capacity in
            Self.path.withCString { path in
                var options = cocv_cascade_options()
                options.path = path
                options.detection_width = settings.mode == .fast ? 400 : 480
                options.scale_factor = settings.mode == .fast ? 1.2 : 1.1
                _ = plugin.load(&options, &loaded, text, capacity)
            }
        }
        guard let loaded else { throw DetectorError("\(complaint); apt-get install opencv-data") }
        self.plugin = plugin
        cascade = loaded
        selection = FaceSelection(settings)
        region = NormalizedRegion(settings.common.roi)
        minimumSize = settings.minSize
        minimumConfidence = Float(settings.confidence)
    }

    deinit { plugin.destroy(cascade) }

    func detect(in frame: Frame) throws(DetectorError) -> [Detection] {
        let view = FrameView(frame, region: region)
        guard !view.isEmpty else { return [] }
        var luma = cocv_luma()
        let plane = view.planes[0]
        (luma.samples, luma.stride) = (plane.base, Int32(plane.stride))
        (luma.width, luma.height) = (Int32(view.width), Int32(view.height))
        var faces = [cocv_face](repeating: cocv_face(), count: Self.capacity)
        var count = 0
        var status = COCV_OK
        let complaint = withErrorText { text, capacity in
            status = plugin.detect(
                cascade, &luma, Float(minimumSize) * Float(frame.width), &faces, faces.count, &count, text, capacity)
        }
        withExtendedLifetime(frame) {}
        guard status == COCV_OK else { throw DetectorError("the cascade failed: \(complaint)") }
        let found = faces.prefix(count).compactMap { face -> Detection? in
            let box = Box(x: face.x + Float(view.x), y: face.y + Float(view.y), width: face.width, height: face.height)
            guard face.confidence >= minimumConfidence,
                let visible = box.clipped(width: Float(frame.width), height: Float(frame.height))
            else { return nil }
            return Detection(box: visible, confidence: face.confidence, content: .face(Face()))
        }
        return selection.keep(found, in: frame)
    }
}
