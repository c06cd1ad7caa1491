import BarcodeValues
import Events
import Frames
import GStreamerSource
import Installation
import Observations
import Pipelines
import Settings
import Synchronization

/// A configured pipeline, put together and ready to run once.
package final class PipelineRun: Sendable {
    private let settings: PipelineSettings
    private let resources: ResourceFolders
    private let epoch: UInt64
    private let firstTrack: TrackID
    private let fault: InjectedFault?
    private let runner: PipelineRunner
    private let received = Atomic<UInt64>(0)
    private let detectors = Mutex<MultiDetector?>(nil)

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
    }

    /// May be read from any thread.
    package var statistics: Statistics {
        let detectors = detectors.withLock { $0 }
        return Statistics(
            received: received.load(ordering: .relaxed), sourceAge: runner.turnAge,
            lanes: zip(detectors?.counts ?? [], detectors?.times ?? []).map(Statistics.Lane.init))
    }

    /// - Parameters:
    ///   - epoch: the number of this start of the pipeline's worker.
    ///   - firstTrack: the lowest id that a track may have.
    ///   - fault: for tests of what survives it; only in the first epoch.
    package init(
        _ settings: PipelineSettings, resources: ResourceFolders, epoch: UInt64 = 1, firstTrack: TrackID = TrackID(1),
        fault: InjectedFault? = nil
    ) {
        self.fault = fault
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
        guard let detectors = detectors.withLock({ $0 }) else {
            throw FocusRequestError("the pipeline does not run")
        }
        try detectors.requestFocus(detector: detector, on: id)
    }

    /// Runs until the source ends or `stop` is called.
    ///
    /// - Parameters:
    ///   - stages: whether track lines carry the time that each stage took.
    ///   - explain: whether there are lines that say why detections were not tracked and why tracks ended.
    ///   - complain: takes a line for people: a detector that fails on frames, and at the end what was lost. From any thread.
    ///   - didProcess: called for each frame handed to the lanes.
    package func run(
        into sink: any EventSink, stages: Bool = false, explain: Bool = false,
        complain: @escaping @Sendable (String) -> Void,
        didProcess: (FrameInfo) -> Void = { _ in }
    ) -> PipelineRunner.Outcome {
        let delivery: MultiDetector.Delivery = settings.source.pace == .realtime ? .newest : .every
        var lanes = settings.lanes(models: resources.models)
        for index in lanes.indices {
            lanes[index].firstTrack = firstTrack
            lanes[index].explains = explain
        }
        if let fault, epoch == 1 { lanes = lanes.map(fault.inserted) }
        let emitter = EventEmitter(
            pipeline: PipelineIdentity(name: settings.name, tags: settings.tags), detectors: lanes.map(\.detector.name),
            delivery: delivery, clock: delivery == .every ? .file : .arrival, now: { .now }, stages: stages,
            barcodes: settings.barcode?.reporting ?? BarcodeReporting(), sink: sink, complain: complain)
        let detectors = MultiDetector(lanes, delivery: delivery, delegate: emitter)
        self.detectors.withLock { $0 = detectors }
        defer { self.detectors.withLock { $0 = nil } }
        let source: any FrameSource
        do {
            source = try settings.source.makeSource(resources: resources, epoch: epoch)
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
}
