// SPDX-License-Identifier: Apache-2.0
import EventLines
import Observations
import Tracking

/// Creates the trackers of a `MultiDetector`, and may observe the other output of its lanes. All calls about one
/// detector come on that detector's thread, one at a time.
public protocol MultiDetectorDelegate: AnyObject, Sendable {
    /// Called when a feature is detected. Returns the object that follows the feature, or nil to ignore it.
    func tracker(for track: Track, from detector: String) -> (any FeatureTracker)?

    /// Called with the output for an input of a detector's lane, after the trackers have been called.
    ///
    /// - Parameter stages: the stage times of the output's frame; zeros without a frame.
    func finished(_ output: LaneOutput, of detector: String, stages: LaneStages)
}

extension MultiDetectorDelegate {
    /// Does nothing.
    public func finished(_ output: LaneOutput, of detector: String, stages: LaneStages) {}
}

/// Calls a delegate and its trackers for one lane. Confined to the lane's thread.
final class DelegateOutlet: LaneOutlet {
    private let detector: String
    private let delegate: any MultiDetectorDelegate
    private var trackers = FeatureTrackers()

    init(_ detector: String, _ delegate: any MultiDetectorDelegate) {
        self.detector = detector
        self.delegate = delegate
    }

    func take(_ output: LaneOutput, of input: LaneInput?, stages: () -> LaneStages) {
        for change in output.changes {
            guard let results = output.results(of: change) else { continue }
            trackers.deliver(change, in: results) { [delegate, detector] in delegate.tracker(for: $0, from: detector) }
        }
        delegate.finished(output, of: detector, stages: stages())
    }
}

/// Whether a detector is operational, and its model.
public struct DetectorStatus: Sendable, Equatable {
    /// The name of the detector.
    public var detector: String
    /// The kind of its features.
    public var kind: FeatureKind
    /// Whether the detector works.
    public var isOperational: Bool
    /// The name of its model; nil if it has none.
    public var model: String?
    /// The reason why it is not operational, or a remark about an operational detector.
    public var reason: String?
    /// The last frame it processed; nil before the first.
    public var frame: FrameInfo?

    public init(
        detector: String, kind: FeatureKind, isOperational: Bool, model: String? = nil, reason: String? = nil,
        frame: FrameInfo? = nil
    ) {
        self.detector = detector
        self.kind = kind
        self.isOperational = isOperational
        self.model = model
        self.reason = reason
        self.frame = frame
    }
}

/// A frame on which a detector failed.
public struct DetectorFailure: Sendable, Equatable {
    /// The name of the detector.
    public var detector: String
    /// The detector's error, for people.
    public var reason: String
    /// The number of failures of this lane so far, including unreported ones.
    public var total: Int
    /// The frame on which the detector failed.
    public var frame: FrameInfo

    public init(detector: String, reason: String, total: Int, frame: FrameInfo) {
        self.detector = detector
        self.reason = reason
        self.total = total
        self.frame = frame
    }
}

/// The stage times of a frame.
public struct LaneStages: Sendable, Equatable {
    /// See `Frame.decodeTime`.
    public var decode: Duration?
    /// From the hand-over to the lane until the lane took the frame.
    public var wait: Duration
    /// The time of the detector.
    public var detect: Duration
    /// Association and all tracker callbacks.
    public var track: Duration

    public init(
        decode: Duration? = nil, wait: Duration = .zero, detect: Duration = .zero, track: Duration = .zero
    ) {
        self.decode = decode
        self.wait = wait
        self.detect = detect
        self.track = track
    }
}
