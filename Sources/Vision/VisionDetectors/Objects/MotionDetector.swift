// SPDX-License-Identifier: Apache-2.0
import CMotion
import Detectors
import Frames
import Observations
import Settings

/// Moving objects by background subtraction: no model to install and no classes. For cameras that stand still: one that
/// moves sees everything move.
final class MotionDetector: Detector {
    /// The longer side that pictures are reduced to, in pixels.
    private static let analysisSize: Int32 = 320
    /// The smallest side of a thing, in pixels of the reduced picture. Anything smaller is noise.
    private static let smallestSide = 16.0
    private static let capacity = 64

    private let plugin: cmot_functions
    private let subtractor: OpaquePointer
    private let region: NormalizedRegion
    private let minimumSize: Double
    private var learning: BackgroundLearning
    private var lastSize: (Int, Int) = (0, 0)

    init(settings: ObjectSettings) throws(DetectorError) {
        var plugin = cmot_functions()
        var isThere = false
        let missing = withErrorText { text, capacity in isThere = cmot_open(&plugin, text, capacity) }
        guard isThere else {
            throw DetectorError("moving objects need OpenCV: \(missing); apt-get install libopencv-video406")
        }
        var made: OpaquePointer?
        let complaint = withErrorText { text, capacity in _ = plugin.create(Self.analysisSize, &made, text, capacity) }
        guard let made else { throw DetectorError(complaint) }
        self.plugin = plugin
        subtractor = made
        region = NormalizedRegion(settings.common.roi)
        minimumSize = settings.minSize
        learning = BackgroundLearning(
            stillAfter: settings.stillAfter / .seconds(1), backgroundShare: CMOT_BACKGROUND_SHARE)
    }

    deinit { plugin.destroy(subtractor) }

    func detect(in frame: Frame) throws(DetectorError) -> [Detection] {
        let view = FrameView(frame, region: region)
        guard !view.isEmpty else { return [] }
        if lastSize != (view.width, view.height) {
            learning.startAnew()
            lastSize = (view.width, view.height)
        }
        var luma = cmot_luma()
        let plane = view.planes[0]
        (luma.samples, luma.stride) = (plane.base, Int32(plane.stride))
        (luma.width, luma.height) = (Int32(view.width), Int32(view.height))
        let rate = learning.rate(at: frame.info.seconds)
        let longerSide = Double(max(view.width, view.height))
        let smallest = max(
            minimumSize * Double(max(frame.width, frame.height)),
            Self.smallestSide * max(1, longerSide / Double(Self.analysisSize)))
        var regions = [cmot_region](repeating: cmot_region(), count: Self.capacity)
        var count = 0
        var moving: Float = 0
        var status = CMOT_OK
        let complaint = withErrorText { text, capacity in
            status = plugin.observe(
                subtractor, &luma, rate, Float(smallest), &regions, regions.count, &count, &moving, text, capacity)
        }
        withExtendedLifetime(frame) {}
        guard status == CMOT_OK else { throw DetectorError("the search for moving objects failed: \(complaint)") }
        guard learning.isTrusted(moving: moving) else { return [] }
        return regions.prefix(count).compactMap { region in
            Box(
                x: region.x + Float(view.x), y: region.y + Float(view.y), width: region.width, height: region.height
            ).clipped(width: Float(frame.width), height: Float(frame.height)).map {
                Detection(box: $0, confidence: nil, content: .object(ObjectLabels()))
            }
        }
    }
}
