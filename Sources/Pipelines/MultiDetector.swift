import Frames
import Observations

/// Runs several detectors, each in a lane of its own, on the same frames; every feature in view gets its own tracker object from
/// the delegate.
///
/// Nothing joins across lanes: face tracks never wait for barcode tracks. Frames and stops come from one thread; the counts may be
/// read from any.
public final class MultiDetector: Sendable {
    /// What happens to frames that come faster than a lane can take them.
    public enum Delivery: Sendable, Equatable {
        /// For live sources: each lane takes the newest frame when it is free, what it could not take is dropped and counted.
        case newest
        /// For files: every frame goes through every lane before the next one is taken.
        case every
    }

    private let lanes: [Lane]
    private let delivery: Delivery

    /// The lanes start to load their detectors at once, on their own threads.
    public init(_ lanes: [LaneConfiguration], delivery: Delivery, delegate: any MultiDetectorDelegate) {
        self.lanes = lanes.map { Lane($0, delegate: delegate) }
        self.delivery = delivery
    }

    /// What a lane has done since it was made.
    public struct LaneCounts: Sendable, Equatable {
        public var detector: String
        /// Frames that the detector was given the chance to look at.
        public var processed: Int
        /// Frames that were replaced by newer ones before the detector was free.
        public var dropped: Int
    }

    public var counts: [LaneCounts] {
        lanes.map { LaneCounts(detector: $0.name, processed: $0.processedFrames, dropped: $0.droppedFrames) }
    }

    /// Waits until every detector has been loaded, or was found not to be operational.
    public func waitUntilLoaded() {
        for lane in lanes { lane.waitUntilLoaded() }
    }

    public func receive(_ frame: Frame) {
        for lane in lanes { lane.offer(frame) }
        if delivery == .every {
            for lane in lanes { lane.waitUntilDone() }
        }
    }

    /// Ends every track of every lane and waits for it.
    public func completeAll(_ reason: CompletionReason) {
        for lane in lanes { lane.completeAll(reason) }
    }
}
