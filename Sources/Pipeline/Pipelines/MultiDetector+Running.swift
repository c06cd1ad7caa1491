import Detectors
import Frames
import Observations
import Tracking

extension MultiDetector {
    /// Gives each feature in view a tracker that a closure makes.
    ///
    /// - Parameters:
    ///   - delivery: for `receive`; `run` decides for itself.
    ///   - tracker: makes the object that follows a track of a detector of that name; nil: the track is of no interest. The detector's thread
    ///     calls it, and every method of the tracker.
    public convenience init(
        _ lanes: [LaneConfiguration], delivery: Delivery = .newest,
        tracker: @escaping @Sendable (Track, String) -> (any FeatureTracker)?
    ) {
        self.init(lanes, delivery: delivery, delegate: ClosureDelegate(make: tracker))
    }

    /// Runs the detectors on a source's frames until the source ends or the task is cancelled. Every track has ended when it returns.
    ///
    /// The source and the hand-over run on a thread of their own. Each detector runs on its thread.
    ///
    /// - Parameters:
    ///   - delivery: `.every` for files, `.newest` for cameras.
    ///   - stallLimit: a source that gives no frame for twice as long is lost.
    ///   - every: the first frame and then each n-th one is detected. From 1 up.
    ///   - source: makes the source, on the thread that uses it.
    /// - Throws: `DetectorError` if a detector cannot work on this machine, before the source is opened; `SourceError` if the source fails.
    public func run(
        delivery: Delivery, stallLimit: Duration = .seconds(10), every: Int = 1,
        source: @escaping @Sendable () throws(SourceError) -> any FrameSource
    ) async throws {
        let runner = PipelineRunner(stallLimit: stallLimit, every: every)
        var thread: LaneThread?
        // A thread that has resumed this task ends at once.
        defer { thread?.join() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
                thread = LaneThread(name: "source") {
                    do {
                        try self.waitUntilOperational()
                        let outcome = runner.run(try source(), detectors: self, delivery: delivery)
                        if case .failed(let error) = outcome { throw error }
                        done.resume()
                    } catch {
                        done.resume(throwing: error)
                    }
                }
            }
        } onCancel: {
            runner.stop(.shutdown)
        }
    }
}

private final class ClosureDelegate: MultiDetectorDelegate {
    private let make: @Sendable (Track, String) -> (any FeatureTracker)?

    init(make: @escaping @Sendable (Track, String) -> (any FeatureTracker)?) {
        self.make = make
    }

    func tracker(for track: Track, from detector: String) -> (any FeatureTracker)? { make(track, detector) }
}
