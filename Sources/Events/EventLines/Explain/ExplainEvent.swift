// SPDX-License-Identifier: Apache-2.0
import Observations

/// The reasons why detections of a frame are in no reported track, why tracks ended in the frame, and why the gate let
/// the frame through.
public struct ExplainEvent: Sendable, Equatable {
    public var detector: String
    public var frame: FrameInfo
    public var explanation: Explanation

    public init(detector: String, frame: FrameInfo, explanation: Explanation) {
        self.detector = detector
        self.frame = frame
        self.explanation = explanation
    }
}
