// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Observations
import LogSupport
import PictureRelease
import Tracking

/// The work of a lane on its thread: runs the detector and passes the results to `ReportingLane`.
struct LaneWorker {
    private var factory: any DetectorFactory
    private var health = DetectorHealth()
    private var failures = ComplaintLimiter()
    private var detector: (any Detector)?
    private var model: String?
    private var isReportedOperational = false
    /// The reason why the detector cannot work. nil while it can.
    private(set) var obstacle: String?
    private var rateLimiter: RateLimiter
    private var gate: FrameGate?
    /// The number of frames that the gate withheld since the detector's last run.
    private var withheld = 0
    /// Whether the detector gave its memory back since its last run.
    private var isResting = false
    /// The part of the picture that the loaded detector sees; nil if it must see every frame.
    private var region: NormalizedRegion?
    private var learnsFromEveryFrame = false
    private var lane: ReportingLane
    private var focusBox: Box?
    private let observer: (any LaneObserver)?
    /// nil if no picture covers what the detector sees.
    private var cover: LaneCover?
    /// Why the loaded model cannot give what pictures cover.
    private var coverObstacle: String?
    private var plan: LanePlan
    private var search: LaneSearch?
    private let delivery: MultiDetector.Delivery
    /// The metrics that the lane counts in front of its tracker.
    private var counted = MetricValues<LaneMetric>()

    /// - Parameter search: the lane's work for its search session; nil without a session.
    init(
        _ configuration: LaneConfiguration, delivery: MultiDetector.Delivery, search: LaneSearch?,
        outlet: (any LaneOutlet)?
    ) {
        factory = configuration.detector
        self.delivery = delivery
        self.search = search
        plan = configuration.plan
        rateLimiter = RateLimiter(maximumRate: plan.maximumRate)
        gate = configuration.gate.map(FrameGate.init)
        lane = ReportingLane(plan, outlet: outlet)
        observer = configuration.observer
        cover = configuration.release.flatMap { LaneCover(configuration.detector.name, $0) }
        load(for: nil)
    }

    /// The lane's metrics, except for drops in its slot and times.
    var metrics: MetricValues<LaneMetric> {
        var metrics = counted
        lane.tracking.report(to: &metrics)
        return metrics
    }

    /// Whether the next frame may come later than the stream's own: no track is tentative or missing, and no search
    /// runs. A detector that does not work waits for no frame.
    var isSettled: Bool {
        search == nil && !learnsFromEveryFrame && (obstacle != nil || lane.tracking.isSettled)
    }

    mutating func requestFocus(_ request: FocusRequest) { lane.take(.focus(request.track)) }

    /// Applies a change. A replaced detector is loaded before the next frame, while the lane is busy.
    mutating func change(_ change: LaneChange) {
        let old = plan
        plan = change.configuration.plan
        if (plan.tracking, plan.maximumRate) != (old.tracking, old.maximumRate) {
            rateLimiter.change(maximumRate: plan.maximumRate)
            lane.take(.rules(plan.tracking, maximumRate: plan.maximumRate))
            gate?.open()
        }
        if plan.zones != old.zones { lane.take(.zones(plan.zones)) }
        if plan.lines != old.lines { lane.take(.lines(plan.lines)) }
        guard change.replacesDetector else { return }
        factory = change.configuration.detector
        detector = nil
        health = DetectorHealth()
        load(for: nil)
    }

    mutating func process(_ frame: Frame, handedOver: ContinuousClock.Instant) {
        guard rateLimiter.admits(frame.info.presentationTime) else {
            counted[.rateDrops] += 1
            cover?.passed(frame.info, obstacle: nil)
            return
        }
        counted[.processed] += 1
        let taken = ContinuousClock.now
        if detector == nil, health.mayRetry(at: frame.info.seconds) { load(for: frame.info) }
        passOnFocus()
        takePictures()
        search?.begin(&lane)
        let input = look(at: frame)
        let detected = ContinuousClock.now
        lane.take(input) {
            LaneStages(
                decode: frame.decodeTime, wait: taken - handedOver, detect: detected - taken, track: .now - detected)
        }
        tellCover(of: input, frame.info)
        let hasResults = lane.output.results != nil
        // The search may give the lane further inputs, so the changes are saved first.
        let changes = observer == nil ? [] : lane.output.changes
        if search != nil {
            search?.add(lane.output.searchActions)
            search?.finish(frame, &lane)
        }
        guard let observer, hasResults else { return }
        observer.observe(frame, changes)
        // A file waits for its pictures, so that every run gives equal lines.
        if delivery == .every { takePictures() }
    }

    mutating func completeAll(_ reason: CompletionReason) {
        observer?.end(waits: delivery == .every)
        takePictures()
        lane.take(.complete(reason))
        search?.add(lane.output.searchActions)
        search?.cancel()
    }

    private mutating func takePictures() {
        guard let observer else { return }
        for picture in observer.takePictures(waits: delivery == .every) { lane.take(.pictured(picture)) }
    }

    /// Reports before any picture of the frame is asked for what such pictures cover.
    private mutating func tellCover(of input: LaneInput, _ frame: FrameInfo) {
        guard cover != nil else { return }
        let tracks = lane.tracking.tracker.sightings
        switch input {
        case _ where coverObstacle != nil: cover?.passed(frame, obstacle: coverObstacle)
        case .results(let results, let withheld) where results.detectorIsOperational:
            let unreported = (detector?.unreported ?? []) + withheld.map(\.box)
            cover?.looked(at: frame, results.detections, unreported: unreported, tracks: tracks)
        case .unchanged:
            cover?.looked(at: frame, lane.output.results?.detections ?? [], unreported: nil, tracks: tracks)
        default: cover?.passed(frame, obstacle: obstacle)
        }
    }

    /// Runs the detector, unless the frame shows no change.
    private mutating func look(at frame: Frame) -> LaneInput {
        guard let region, gate != nil else { return detect(in: frame) }
        var cause = gate?.opening(for: frame, region: region)
        if cause == nil, !lane.tracking.canHold(frame.info) { cause = .track }
        guard let cause else {
            counted[.unchanged] += 1
            withheld += 1
            detector?.pass(frame.info)
            rest(at: frame.info)
            return .unchanged(frame.info)
        }
        if withheld > 0 { lane.take(.opened(GateOpening(unchanged: withheld, cause: cause), frame.info)) }
        (withheld, isResting) = (0, false)
        let input = detect(in: frame)
        if case .results = input { gate?.looked(at: frame.info) } else { gate?.open() }
        // A source that idles gives no frame without a run in between.
        if case .refresh = cause { rest(at: frame.info) }
        return input
    }

    /// Gives the memory of the detector's run back while a live picture is at rest. A file's frames come too fast for
    /// that to be worth its time.
    private mutating func rest(at frame: FrameInfo) {
        guard !isResting, delivery == .newest, gate?.isAtRest(at: frame) == true else { return }
        isResting = true
        detector?.rest()
    }

    /// Runs the detector. A failure loses only this frame.
    private mutating func detect(in frame: Frame) -> LaneInput {
        if let detector, detector.isOperational != isReportedOperational {
            report(
                operational: detector.isOperational,
                reason: detector.isOperational ? nil : "the detector is not operational now",
                frame: frame.info)
        }
        guard let detector, detector.isOperational else {
            let nothing = DetectionResults(
                detector: factory.name, frame: frame.info, detections: [], detectorIsOperational: false)
            return .results(nothing, withheld: [])
        }
        do {
            detector.expect { lane.tracking.predicted(at: frame.info) }
            let detections = try detector.detect(in: frame)
            health.detected(at: frame.info.seconds)
            counted[.detections] += UInt64(detections.count)
            let results = DetectionResults(detector: factory.name, frame: frame.info, detections: detections)
            return .results(results, withheld: detector.withheld)
        } catch {
            counted[.failures] += 1
            if failures.count(at: .now) {
                lane.report(
                    DetectorFailure(
                        detector: factory.name, reason: error.description, total: failures.total, frame: frame.info))
            }
            switch health.failed(at: frame.info.seconds, isEnd: error.endsDetector) {
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
            // A new detector searches the whole frame.
            focusBox = nil
            gate?.open()
            (region, learnsFromEveryFrame) = (loaded.region, loaded.learnsFromEveryFrame)
            model = loaded.model
            coverObstacle = cover?.obstacle(labels: loaded.labels)
            health.loaded()
            report(operational: true, reason: loaded.remark, frame: frame)
        } catch {
            if health.isFirstReport {
                report(operational: false, reason: error.description, frame: frame)
            }
            health.failedToLoad(at: frame?.seconds ?? 0, isEnd: error.endsDetector)
        }
    }

    private mutating func report(operational: Bool, reason: String?, frame: FrameInfo?) {
        isReportedOperational = operational
        obstacle = operational ? nil : reason ?? "it cannot work now"
        let status = DetectorStatus(
            detector: factory.name, kind: factory.kind, isOperational: operational, model: model, reason: reason,
            frame: frame)
        lane.take(.status(status))
    }

    /// Passes the focus of the last frame to the detector. While the focused track is missing, or when the focus moves,
    /// the detector searches the whole frame. So the narrowed search misses a feature for at most one frame.
    private mutating func passOnFocus() {
        // Pictures cover features outside the focus too, so the detector goes on to search for them.
        let box = cover == nil ? lane.tracking.focusBox : nil
        guard box != focusBox else { return }
        focusBox = box
        detector?.setFocus(box)
        gate?.open()
    }
}
