import Detectors
import Frames
import Observations
import Telemetry
import Tracking

/// What a lane does on its thread: the detector's part, which gives `LaneTracking` what it takes.
struct LaneWorker {
    private var factory: any DetectorFactory
    private let delegate: any MultiDetectorDelegate
    private var health = DetectorHealth()
    private var failures = ComplaintLimiter()
    private var detector: (any Detector)?
    private var model: String?
    private var isReportedOperational = false
    private var rateLimiter: RateLimiter
    private(set) var tracking: LaneTracking
    private var focusBox: Box?
    private let witness: (any LaneWitness)?
    private var plan: LanePlan
    private let search: LaneSearch?
    /// Frames that the rate left out.
    private(set) var skippedFrames = 0

    /// - Parameter search: what the lane does for its search session; nil: there is none.
    init(_ configuration: LaneConfiguration, search: LaneSearch? = nil, delegate: any MultiDetectorDelegate) {
        factory = configuration.detector
        self.delegate = delegate
        self.search = search
        rateLimiter = RateLimiter(maximumRate: configuration.maximumRate)
        plan = configuration.plan
        tracking = LaneTracking(plan, delegate: delegate)
        witness = configuration.witness
        load(for: nil)
    }

    /// Frames that the detector failed on.
    var failedFrames: Int { failures.total }

    mutating func requestFocus(_ request: FocusRequest) { tracking.take(.focus(request.track)) }

    /// A detector that is replaced is loaded before the next frame; meanwhile the lane is busy.
    mutating func change(_ change: LaneChange) {
        let old = plan
        plan = change.configuration.plan
        if (plan.tracking, plan.maximumRate) != (old.tracking, old.maximumRate) {
            rateLimiter.change(maximumRate: plan.maximumRate)
            tracking.take(.rules(plan.tracking, maximumRate: plan.maximumRate))
        }
        if plan.zones != old.zones { tracking.take(.zones(plan.zones)) }
        guard change.replacesDetector else { return }
        factory = change.configuration.detector
        detector = nil
        health = DetectorHealth()
        load(for: nil)
    }

    mutating func process(_ frame: Frame, handedOver: ContinuousClock.Instant) {
        guard rateLimiter.admits(frame.info.presentationTime) else {
            skippedFrames += 1
            return
        }
        let taken = ContinuousClock.now
        if detector == nil, health.mayRetry(at: frame.info.seconds) { load(for: frame.info) }
        passOnFocus()
        takePictures()
        search?.begin(&tracking)
        let input = detect(in: frame)
        let detected = ContinuousClock.now
        tracking.take(input) {
            LaneStages(
                decode: frame.decodeTime, wait: taken - handedOver, detect: detected - taken, track: .now - detected)
        }
        search?.finish(frame, &tracking)
        guard let witness, case .results = input else { return }
        witness.saw(frame, tracking.changes)
        if witness.waits { takePictures() }
    }

    mutating func completeAll(_ reason: CompletionReason) {
        witness?.end()
        takePictures()
        tracking.take(.complete(reason))
        search?.cancel(&tracking)
    }

    private mutating func takePictures() {
        guard let witness else { return }
        for picture in witness.news() { tracking.take(.pictured(picture)) }
    }

    /// A failure costs this frame and no more.
    private mutating func detect(in frame: Frame) -> LaneInput {
        if let detector, detector.isOperational != isReportedOperational {
            report(
                operational: detector.isOperational, reason: detector.isOperational ? nil : "it cannot work now",
                frame: frame.info)
        }
        guard let detector, detector.isOperational else {
            let nothing = DetectionResults(
                detector: factory.name, frame: frame.info, detections: [], detectorIsOperational: false)
            return .results(nothing, withheld: [])
        }
        do {
            detector.expect { tracking.predicted(at: frame.info) }
            let detections = try detector.detect(in: frame)
            health.succeeded()
            let results = DetectionResults(detector: factory.name, frame: frame.info, detections: detections)
            return .results(results, withheld: detector.withheld)
        } catch {
            if failures.count(at: .now) {
                delegate.detectorFailed(
                    DetectorFailure(
                        detector: factory.name, reason: error.description, total: failures.total, frame: frame.info))
            }
            switch health.failed(at: frame.info.seconds) {
            case .goOn: break
            case .giveUp:
                self.detector = nil
                report(operational: false, reason: error.description, frame: frame.info)
            }
            return .failed(frame.info)
        }
    }

    private mutating func load(for frame: FrameInfo?) {
        do {
            let loaded = try factory.makeDetector()
            detector = loaded.detector
            // A new detector looks everywhere.
            focusBox = nil
            model = loaded.model
            health.succeeded()
            report(operational: true, reason: loaded.remark, frame: frame)
        } catch {
            if health.isFirstReport {
                report(operational: false, reason: error.description, frame: frame)
            }
            health.failedToLoad(at: frame?.seconds ?? 0)
        }
    }

    private mutating func report(operational: Bool, reason: String?, frame: FrameInfo?) {
        isReportedOperational = operational
        let status = DetectorStatus(
            detector: factory.name, kind: factory.kind, isOperational: operational, model: model, reason: reason,
            frame: frame)
        tracking.take(.status(status))
    }

    /// Tells the detector where the focus was in the last frame. While it is missing, or when it moves to another track, the detector is to
    /// look everywhere: so the narrowed look can lose nothing for longer than a frame.
    private mutating func passOnFocus() {
        let box = tracking.focusBox
        guard box != focusBox else { return }
        focusBox = box
        _ = detector?.setFocus(box)
    }
}
