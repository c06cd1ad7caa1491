import Observations

/// The reasons why detections of a frame are in no reported track, and why tracks ended in the frame.
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
