// SPDX-License-Identifier: Apache-2.0
import Observations

/// Reasons of one frame: why detections are in no reported track, why tracks ended, and why the gate let the frame
/// through.
public struct ExplainEvent: Sendable, Equatable {
    /// The detector whose detections and tracks are explained.
    public var detector: String
    public var frame: FrameInfo
    public var explanation: Explanation

    public init(detector: String, frame: FrameInfo, explanation: Explanation) {
        self.detector = detector
        self.frame = frame
        self.explanation = explanation
    }
}
