// SPDX-License-Identifier: Apache-2.0
import Observations

/// The numbers of detections and tracks in a processed frame, even if they are 0. The line is in no log.
public struct FrameEvent: Sendable, Equatable {
    /// The detector that processed the frame.
    public var detector: String
    public var kind: FeatureKind
    public var frame: FrameInfo
    /// The number of the detector's detections in this frame.
    public var count: Int
    /// The number of tracks with an `update` in this frame.
    public var inView: Int
    /// The number of tracks with a `missing` in this frame.
    public var missing: Int

    public init(
        detector: String, kind: FeatureKind, frame: FrameInfo, count: Int, inView: Int = 0, missing: Int = 0
    ) {
        self.detector = detector
        self.kind = kind
        self.frame = frame
        self.count = count
        self.inView = inView
        self.missing = missing
    }
}
