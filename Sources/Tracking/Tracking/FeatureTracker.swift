// SPDX-License-Identifier: Apache-2.0
import Observations

/// Follows one feature through its life: one object for each track, made when the track is detected and let go after
/// `completed`.
///
/// The calls for one track always read `detected update (update | missing+ update)* missing* completed` (Mobile
/// Vision's `Tracker`). All come on the lane's thread, in the order of the frames; a tracker is confined to it.
public protocol FeatureTracker: AnyObject {
    /// A new feature. `update` follows at once with the same track.
    func detected(_ track: Track, in results: DetectionResults)
    /// The feature is in this frame.
    func update(_ track: Track, in results: DetectionResults)
    /// The feature is not in this frame but may come back; the track's box is a prediction.
    func missing(_ track: Track, in results: DetectionResults)
    /// The feature is gone for good: the track's last state, and the last results that the detector gave.
    func completed(_ track: Track, reason: CompletionReason, in results: DetectionResults)
}

extension FeatureTracker {
    /// Does nothing.
    public func detected(_ track: Track, in results: DetectionResults) {}
    /// Does nothing.
    public func update(_ track: Track, in results: DetectionResults) {}
    /// Does nothing.
    public func missing(_ track: Track, in results: DetectionResults) {}
    /// Does nothing.
    public func completed(_ track: Track, reason: CompletionReason, in results: DetectionResults) {}
}
