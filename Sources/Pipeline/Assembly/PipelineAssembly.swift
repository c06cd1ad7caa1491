import EventLines
import Frames
import GStreamerSource
import Installation
import LaneSettings
import Observations
import Pictures
import Pipelines
import Search
import Settings
import Synchronization
import Tapes

/// A configured pipeline, put together and ready to run once.
package final class PipelineAssembly: Sendable {
    private struct State {
        var settings: PipelineSettings
        var detectors: MultiDetector?
        /// Makes pictures; nil: the run has not begun.
        var writer: PictureWriter?
        /// Commands to the search that came before there was anything to take them.
        var waiting: [SearchCommand] = []
        static let mostWaiting = 16
    }

    /// What it was started with.
    let settings: PipelineSettings
    let resources: ResourceFolders
    private let epoch: UInt64
    private let firstTrack: TrackID
    private let fault: InjectedFault?
    private let runner: PipelineRunner
    private let received = Atomic<UInt64>(0)
    private let tellsOfFrames = Atomic<Bool>(false)
    private let state: Mutex<State>
    private let snapshots = Snapshots()
    private let crashFile: String?
    let pictures: PictureAccess

    /// What the run has done so far.
    package struct Statistics: Sendable, Equatable {
        package struct Lane: Sendable, Equatable {
            package var counts: LaneCounts
            package var times: LaneTimes
        }

        /// The number of the newest frame: those that were dropped before it count too.
        package var received: UInt64
        /// For how long the source has not come back.
        package var sourceAge: Duration?
        package var lanes: [Lane]
        /// nil: no pictures of tracks or searches are kept.
        package var pictures: PictureWriter.Counts?
    }

    /// May be read from any thread.
    package var statistics: Statistics {
        let (detectors, writer) = state.withLock { ($0.detectors, $0.writer) }
        return Statistics(
            received: received.load(ordering: .relaxed), sourceAge: runner.turnAge,
            lanes: zip(detectors?.counts ?? [], detectors?.times ?? []).map(Statistics.Lane.init),
            pictures: writer.flatMap { $0.hasStore ? $0.counts : nil })
    }

    /// - Parameters:
    ///   - epoch: the number of this start of the pipeline's worker.
    ///   - firstTrack: the lowest id that a track may have.
    ///   - fault: for tests of what survives it; only in the first epoch.
    ///   - crashFile: where the newest frames are kept for whoever comes after a crash; nil: nowhere.
    ///   - pictures: what may become of frames as pictures.
    package init(
        _ settings: PipelineSettings, resources: ResourceFolders, epoch: UInt64 = 1, firstTrack: TrackID = TrackID(1),
        fault: InjectedFault? = nil, crashFile: String? = nil, pictures: PictureAccess = .inMemory
    ) {
        self.pictures = pictures
        self.fault = fault
        self.crashFile = crashFile
        state = Mutex(State(settings: settings))
        self.settings = settings
        self.resources = resources
        self.epoch = epoch
        self.firstTrack = firstTrack
        runner = PipelineRunner(stallLimit: settings.source.stallLimit, every: settings.source.every)
    }

    /// Asks the run to end soon, from any thread.
    package func stop(_ reason: CompletionReason) {
        runner.stop(reason)
    }

    /// Puts a detector's focus on a track before its next frame, or gives it back to the configured policy (nil). From any thread.
    ///
    /// - Throws: when there is no such detector, or nothing runs. A track that is not live is told to `run`'s `complain`.
    package func requestFocus(detector: String, on id: TrackID?) throws(FocusRequestError) {
        guard let detectors = state.withLock({ $0.detectors }) else {
            throw FocusRequestError("the pipeline does not run")
        }
        try detectors.requestFocus(detector: detector, on: id)
    }

    /// Has a line written for each frame that a detector processes, or no more. From any thread.
    package func tellOfFrames(_ areWanted: Bool) {
        tellsOfFrames.store(areWanted, ordering: .relaxed)
    }

    /// Passes a command on to the live search, which takes it with its detector's next frame. From any thread.
    ///
    /// - Throws: when there is no search, or too many commands wait. What does not fit its state is told to `run`'s `complain`.
    package func command(_ command: SearchCommand) throws(SearchCommandError) {
        let (detectors, waits) = state.withLock { state in
            let waits = state.detectors == nil && state.waiting.count < State.mostWaiting
            if waits { state.waiting.append(command) }
            return (state.detectors, waits)
        }
        if let detectors { return try detectors.command(command) }
        if !waits { throw .tooManyWait }
    }

    /// The one place where a run is found to be live or a file's.
    private var delivery: MultiDetector.Delivery { settings.source.pace == .realtime ? .newest : .every }

    /// Makes the file on which a run is to be recorded; whoever passes it to `run` ends it afterwards.
    ///
    /// - Parameters:
    ///   - configuration: the pipeline's file without its source, as the tape keeps it.
    ///   - explain: as for `run`.
    package func makeRecorder(
        _ path: String, configuration: String, explain: Bool, complain: @escaping @Sendable (String) -> Void
    ) throws(TapeError) -> TapeRecorder {
        let header = TapeHeader(
            clock: delivery.clock, configuration: configuration, firstTrack: firstTrack, explains: explain,
            lanes: settings.lanePlans.map(\.detector))
        return try TapeRecorder(path, header, complain: complain)
    }

    /// Goes on with other settings from the next frame on; what runs keeps its tracks. From any thread.
    ///
    /// - Returns: whether it can (see `PipelineSettings.takeOver`). If not, nothing has changed.
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

    /// Writes the next frame to a file as a JPEG picture, upright as the detectors see it, with `NAME.json` beside it. From any thread.
    ///
    /// - Parameter done: called once, from any thread, with what went wrong; nil when the whole picture is at `path`.
    package func requestSnapshot(
        _ path: String, isCaptioned: Bool, done: @escaping @Sendable (String?) -> Void
    ) {
        if case .none = pictures { return done("no picture may be made here: daemon.no_images is true") }
        snapshots.request(path, isCaptioned: isCaptioned, done)
    }

    private func lanes(_ settings: PipelineSettings, explain: Bool = false) -> [LaneConfiguration] {
        settings.lanes(models: resources.models).map { lane in
            var lane = lane
            lane.plan.firstTrack = firstTrack
            lane.plan.explains = explain
            guard let fault, epoch == 1 else { return lane }
            return fault.inserted(into: lane)
        }
    }

    /// Runs until the source ends or `stop` is called.
    ///
    /// - Parameters:
    ///   - stages: whether track lines carry the time that each stage took.
    ///   - explain: whether there are lines that say why detections were not tracked and why tracks ended.
    ///   - recorder: keeps what the events are a function of. Not together with `stages`, which are measured.
    ///   - complain: takes a line for people: a detector that fails on frames, and at the end what was lost. From any thread.
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
        let emitter = EventEmitter(
            pipeline: pipeline, detectors: lanes.map(\.detector.name),
            delivery: delivery, now: { .now }, stages: stages,
            frames: { [self] in tellsOfFrames.load(ordering: .relaxed) },
            barcodes: settings.barcodeReporting, sink: sink, recorder: recorder,
            complain: complain)
        let detectors = MultiDetector(lanes, events: emitter)
        let waiting = state.withLock { state in
            state.detectors = detectors
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
            state.withLock { $0.detectors = nil }
            snapshots.end()
        }
        let source: any FrameSource
        do {
            source = TappedSource(
                try settings.source.makeSource(resources: resources, epoch: epoch), taps: taps(complain))
        } catch {
            detectors.waitUntilLoaded()
            emitter.sourceChanged(.lost, frame: nil, error: error.description)
            return .failed(error)
        }
        return runner.run(source, detectors: detectors, events: emitter) { frame in
            received.store(frame.sequence, ordering: .relaxed)
            didProcess(frame)
        }
    }

    private func taps(_ complain: @escaping @Sendable (String) -> Void) -> [(Frame) -> Void] {
        var taps: [(Frame) -> Void] = [{ [snapshots] in snapshots.offer($0) }]
        if let crashFile {
            var frames = LastFrames(crashFile, complain: complain)
            taps.append { frames.write($0) }
        }
        return taps
    }
}
