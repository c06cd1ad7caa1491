// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Observations
import Tracking

extension MultiDetector {
    /// Gives each feature in view a tracker that a closure makes.
    ///
    /// - Parameters:
    ///   - delivery: the delivery of `receive`. `run` has a delivery of its own.
    ///   - tracker: makes the object that follows a track. Its arguments are the track and the name of the detector. It
    ///     returns nil for a track of no interest. The detector's thread calls the closure and every method of the
    ///     tracker.
    public convenience init(
        _ lanes: [LaneConfiguration], delivery: Delivery = .newest,
        tracker: @escaping @Sendable (Track, String) -> (any FeatureTracker)?
    ) {
        self.init(lanes, delivery: delivery, delegate: ClosureDelegate(make: tracker))
    }

    /// Runs the detectors on the frames of a source until the source ends or the task is cancelled.
    ///
    /// The source runs on a thread of its own, and so does each detector. Every track has been completed when this
    /// method returns.
    ///
    /// - Parameters:
    ///   - delivery: `.every` for files, `.newest` for cameras.
    ///   - stallLimit: a source that gives no frame for twice this time is lost.
    ///   - every: the first frame and then each n-th frame is detected, from 1 up.
    ///   - source: makes the source, on the thread that uses it.
    /// - Throws: `DetectorError` if a detector cannot work on this machine, before the source is opened. `SourceError`
    ///   if the source fails.
    public func run(
        delivery: Delivery, stallLimit: Duration = .seconds(10), every: Int = 1,
        source: @escaping @Sendable () throws(SourceError) -> any FrameSource
    ) async throws {
        let runner = PipelineRunner(stallLimit: stallLimit, every: every)
        var thread: LaneThread?
        // The thread ends right after it has resumed this task.
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
