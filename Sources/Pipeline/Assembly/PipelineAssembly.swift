// SPDX-License-Identifier: Apache-2.0
import EventLines
import ExternalDetectors
import Frames
import GStreamerSource
import Installation
import LaneSettings
import Observations
import PictureRelease
import Pictures
import Pipelines
import Search
import Settings
import Synchronization
import Tapes

/// A configured pipeline, assembled and ready to run once.
package final class PipelineAssembly: Sendable {
    private struct State {
        var settings: PipelineSettings
        var detectors: MultiDetector?
        var emitter: EventEmitter?
        /// The lanes' metrics at the end of the run.
        var final: [LaneMetrics] = []
        /// Writes pictures; nil before the run begins.
        var writer: PictureWriter?
        /// The encoded video of the source; nil without a run, and if the source keeps none.
        var video: (any CameraVideo)?
        /// Search commands that arrived before the lanes existed.
        var waiting: [SearchCommand] = []
        static let mostWaiting = 16
    }

    /// The settings at the start.
    let settings: PipelineSettings
    let resources: ResourceFolders
    private let epoch: UInt64
    private let firstTrack: TrackID
    private let fault: InjectedFault?
    private let runner: PipelineRunner
    private let sourceCounts = Mutex(SourceCounts())
    private let requestedLines = Atomic<UInt8>(0)
    private let state: Mutex<State>
    package let snapshots: Snapshots
    package let viewers: PictureStream
    package let video: VideoStream
    /// Every picture that leaves the worker goes through it.
    package let release: PictureRelease
    private let crashFile: String?
    private let starters: [String: any ProgramStarter]
    let pictures: PictureAccess
    let clips: ClipPlace?
    /// The limits of stored pictures.
    let retention: RetentionSettings.Limits<Int>

    /// The counts of the run so far. Any thread may read it.
    package var metrics: PipelineMetrics {
        let lanes = laneMetrics
        let (writer, video) = state.withLock { ($0.writer, $0.video) }
        let counts = sourceCounts.withLock(\.self)
        var metrics = PipelineMetrics(
            source: [
                .received: counts.received, .decoded: counts.decoded,
                .busyTime: runner.turnAge?.whole(.milliseconds(1)) ?? 0,
            ],
            pictures: writer.flatMap { $0.hasStore ? $0.metrics : nil }, lanes: lanes)
        metrics.decoding = counts.decoding
        if let fill = video?.fill {
            metrics.source[.ringTime] = fill.length.whole(.milliseconds(1))
            metrics.source[.ringBytes] = UInt64(fill.bytes)
        }
        metrics.withholding = pictures == .none ? "daemon.no_images is true" : release.reason
        return metrics
    }

    private var laneMetrics: [LaneMetrics] {
        let (detectors, emitter, final) = state.withLock { ($0.detectors, $0.emitter, $0.final) }
        guard let detectors, let emitter else { return final }
        return emitter.addStages(to: detectors.metrics)
    }

    /// - Parameters:
    ///   - epoch: the number of this start of the pipeline's worker.
    ///   - firstTrack: the lowest id of a track.
    ///   - fault: a fault for tests; it applies only in the first epoch.
    ///   - crashFile: the file for the newest frames, for the analysis of a crash; nil if none are kept.
    ///   - pictures: the permitted use of frames as pictures.
    ///   - retention: the limits of stored pictures.
    ///   - complain: takes messages for people about viewers. Called on any thread.
    ///   - starters: of the detectors that are programs, by their names.
    ///   - clips: the folder and the limits of clips; nil if none may be written.
    package init(
        _ settings: PipelineSettings, resources: ResourceFolders, epoch: UInt64 = 1, firstTrack: TrackID = TrackID(1),
        fault: InjectedFault? = nil, crashFile: String? = nil, pictures: PictureAccess = .inMemory,
        retention: RetentionSettings.Limits<Int> = RetentionSettings.standard.pictures,
        clips: ClipPlace? = nil, starters: [String: any ProgramStarter] = [:],
        complain: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.starters, self.clips, self.pictures, self.retention) = (starters, clips, pictures, retention)
        release = PictureRelease(CoverRules(settings))
        snapshots = Snapshots(
            release,
            refusal: pictures == .none
                ? "daemon.no_images is true" : settings.privacy.pictures ? nil : "privacy.pictures is false")
        viewers = PictureStream(release, allows: pictures != .none && settings.privacy.pictures, complain: complain)
        video = VideoStream(
            epoch: epoch, obstacle: settings.videoObstacle(allowsPictures: pictures != .none),
            isPaced: settings.source.readsAhead, complain: complain)
        (self.fault, self.crashFile) = (fault, crashFile)
        state = Mutex(State(settings: settings))
        self.settings = settings
        self.resources = resources
        self.epoch = epoch
        self.firstTrack = firstTrack
        runner = PipelineRunner(
            stallLimit: settings.source.stallLimit, every: settings.source.every, idling: settings.idling)
    }

    /// Asks the run to end soon. Any thread may call it.
    package func stop(_ reason: CompletionReason) {
        runner.stop(reason)
    }

    /// Moves a detector's focus to a track before its next frame, or back to the configured policy (nil). Any thread
    /// may call it.
    ///
    /// - Throws: if the detector does not exist, or the pipeline is not running. A track that has ended is reported to
    ///   `run`'s `complain`.
    package func requestFocus(detector: String, on id: TrackID?) throws(FocusRequestError) {
        guard let detectors = state.withLock({ $0.detectors }) else {
            throw FocusRequestError("the pipeline is not running")
        }
        try detectors.requestFocus(detector: detector, on: id)
    }

    /// Writes these lines from the next frame on, and no other requested lines. Any thread may call it.
    package func write(_ lines: RequestedLines) {
        requestedLines.store(lines.rawValue, ordering: .relaxed)
    }

    /// Passes a command to the live search, which takes it with its detector's next frame. Any thread may call it.
    ///
    /// - Throws: if the pipeline has no search, or too many commands wait. A command that the search's state does not
    ///   allow is reported to `run`'s `complain`.
    package func command(_ command: SearchCommand) throws(SearchCommandError) {
        let (detectors, waits) = state.withLock { state in
            let waits = state.detectors == nil && state.waiting.count < State.mostWaiting
            if waits { state.waiting.append(command) }
            return (state.detectors, waits)
        }
        if let detectors { return try detectors.command(command) }
        if !waits { throw .tooManyWait }
    }

    /// The only place that decides whether a run is live or reads a file.
    private var delivery: MultiDetector.Delivery { settings.source.pace == .realtime ? .newest : .every }

    /// Creates the file in which a run is recorded. The caller passes the recorder to `run` and ends it afterwards.
    ///
    /// - Parameters:
    ///   - configuration: the pipeline's file without its source, as stored on the tape.
    ///   - explain: as for `run`.
    package func makeRecorder(
        _ path: String, configuration: String, explain: Bool, complain: @escaping @Sendable (String) -> Void
    ) throws(TapeError) -> TapeRecorder {
        let header = TapeHeader(
            clock: delivery.clock, configuration: configuration, firstTrack: firstTrack, explains: explain,
            lanes: settings.lanePlans.map(\.detector))
        return try TapeRecorder(path, header, complain: complain)
    }

    /// Applies new settings from the next frame on; running detectors keep their tracks. Any thread may call it.
    ///
    /// - Returns: whether the settings can be applied (see `PipelineSettings.takeOver`). If not, nothing has changed.
    package func takeOver(_ settings: PipelineSettings) -> Bool {
        state.withLock { state in
            guard let takeOver = state.settings.takeOver(settings) else { return false }
            for lane in lanes(settings) {
                state.detectors?.change(lane, replacesDetector: takeOver.detectors.contains(lane.detector.name))
            }
            state.settings = settings
            return true
        }
    }

    private func lanes(_ settings: PipelineSettings, explain: Bool = false) -> [LaneConfiguration] {
        settings.lanes(models: resources.models, starters: starters).map { lane in
            var lane = lane
            lane.plan.firstTrack = firstTrack
            lane.plan.explains = explain
            lane.release = release
            guard let fault, epoch == 1 else { return lane }
            return fault.inserted(into: lane)
        }
    }

    /// Runs until the source ends or `stop` is called.
    ///
    /// - Parameters:
    ///   - stages: whether track lines contain stage times.
    ///   - explain: whether to write lines that explain untracked detections and ended tracks.
    ///   - recorder: records the inputs from which the events follow. It excludes `stages`, because stage times are
    ///     measured.
    ///   - complain: takes messages for people, such as a detector's failures and, at the end, losses. Called on any
    ///     thread.
    ///   - didProcess: called for each frame handed to the lanes.
    package func run(
        into sink: any EventSink, stages: Bool = false, explain: Bool = false,
        recorder: TapeRecorder? = nil, complain: @escaping @Sendable (String) -> Void,
        didProcess: (FrameInfo) -> Void = { _ in }
    ) -> PipelineRunner.Outcome {
        var lanes = lanes(state.withLock { $0.settings }, explain: explain)
        let writer = PictureWriter(pictureStore(complain), complain: complain)
        state.withLock { $0.writer = writer }
        if writer.hasStore { addPhotographers(to: &lanes, writer) }
        addSearchDispatcher(to: &lanes, writer.hasStore ? writer : nil)
        let pipeline = PipelineIdentity(name: settings.name, tags: settings.tags)
        let encoder = Mutex(EventEncoder(pipeline: pipeline))
        snapshots.begin(pipeline, writer) { picture in
            sink.write([encoder.withLock { $0.encode(.frameSnapshot(picture)) }])
        }
        let source: Result<any FrameSource, SourceError>
        do {
            source = .success(try settings.source.makeSource(resources: resources, epoch: epoch))
        } catch {
            source = .failure(error)
        }
        let video = ((try? source.get()) as? any EncodedVideoSource)?.encodedVideo
        let clips = clipMaking(
            video, tell: { clip in sink.write([encoder.withLock { $0.encode(.clip(clip)) }]) }, complain: complain)
        let emitter = EventEmitter(
            pipeline: pipeline, detectors: lanes.map(\.detector.name),
            delivery: delivery, now: { .now }, stages: stages,
            requested: { [self] in RequestedLines(rawValue: requestedLines.load(ordering: .relaxed)) },
            barcodes: settings.barcodeReporting, sink: sink, recorder: recorder,
            follow: clips?.recorder.follower, complain: complain)
        let detectors = MultiDetector(lanes, events: emitter)
        let waiting = state.withLock { state in
            (state.detectors, state.emitter) = (detectors, emitter)
            defer { state.waiting = [] }
            return state.waiting
        }
        for command in waiting {
            do {
                try detectors.command(command)
            } catch {
                complain("search: \(error.description)")
            }
        }
        defer {
            let final = laneMetrics
            state.withLock { ($0.detectors, $0.emitter, $0.final, $0.video) = (nil, nil, final, nil) }
            snapshots.end()
            viewers.end()
            self.video.end()
        }
        let frames: any FrameSource
        switch source {
        case .success(let source): frames = source
        case .failure(let error):
            detectors.waitUntilLoaded()
            emitter.sourceChanged(.lost, frame: nil, error: error.description)
            return .failed(error)
        }
        defer { clips?.finish() }
        state.withLock { $0.video = video }
        self.video.begin(video.flatMap(release.releaseAtOnce))
        var hasOverflowed = false
        var lastFrames = crashFile.map { LastFrames($0, complain: complain) }
        if crashFile != nil, release.rules.coversFeatures || !release.rules.allowsPictures {
            complain("warning: crash_dump: no frames are kept: [privacy] forbids pictures that no detector has seen")
        }
        let outcome = runner.run(frames, detectors: detectors, events: emitter, didProcess: didProcess) { frame in
            sourceCounts.withLock { $0.take(frame) }
            snapshots.offer(frame)
            viewers.offer(frame)
            self.video.offer(frame.info)
            clips?.covered?.offer(frame)
            if !hasOverflowed, video?.fill.hasOverflowed == true {
                hasOverflowed = true
                complain("warning: source.ring_bytes is too small for the video between two key frames")
            }
            if lastFrames != nil, let picture = release.releaseAtOnce(frame) { lastFrames?.write(picture) }
        }
        // A lane that has ended waits for its own pictures, not for those that another lane has decided last.
        if outcome == .ended {
            release.finish()
            writer.wait(.seconds(60))
        }
        return outcome
    }
}
