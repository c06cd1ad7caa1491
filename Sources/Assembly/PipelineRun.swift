import Events
import Frames
import GStreamerSource
import Observations
import Pipelines
import Settings

/// A configured pipeline, put together and ready to run once.
package final class PipelineRun: Sendable {
    private let settings: PipelineSettings
    private let resources: ResourceFolders
    private let epoch: UInt64
    private let runner: PipelineRunner

    package init(_ settings: PipelineSettings, resources: ResourceFolders, epoch: UInt64 = 1) {
        self.settings = settings
        self.resources = resources
        self.epoch = epoch
        runner = PipelineRunner(stallLimit: settings.source.stallLimit)
    }

    /// Asks the run to end soon, from any thread.
    package func stop(_ reason: CompletionReason) {
        runner.stop(reason)
    }

    /// Runs until the source ends or `stop` is called.
    ///
    /// - Parameters:
    ///   - stages: whether track lines carry the time that each stage took.
    ///   - didProcess: called for each frame handed to the lanes.
    package func run(
        into sink: any EventSink, stages: Bool = false, didProcess: (FrameInfo) -> Void = { _ in }
    ) -> PipelineRunner.Outcome {
        let delivery: MultiDetector.Delivery = settings.source.pace == .realtime ? .newest : .every
        let lanes = settings.lanes(models: resources.models)
        let emitter = EventEmitter(
            pipeline: PipelineIdentity(name: settings.name, tags: settings.tags), detectors: lanes.map(\.detector.name),
            delivery: delivery, clock: delivery == .every ? .file : .arrival, now: { .now }, stages: stages, sink: sink)
        let detectors = MultiDetector(lanes, delivery: delivery, delegate: emitter)
        let source: any FrameSource
        do {
            source = try settings.source.makeSource(resources: resources, epoch: epoch)
        } catch {
            detectors.waitUntilLoaded()
            emitter.sourceChanged(.lost, frame: nil, error: error.description)
            return .failed(error)
        }
        return runner.run(source, detectors: detectors, events: emitter, didProcess: didProcess)
    }
}
