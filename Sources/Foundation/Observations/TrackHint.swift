// SPDX-License-Identifier: Apache-2.0
/// Where a followed feature should be in a frame that has not been looked at yet.
public struct TrackHint: Sendable, Equatable {
    /// nil while the track is tentative.
    public var id: TrackID?
    /// Predicted for the frame, in pixels; it may reach beyond the picture.
    public var box: Box
    /// One standard deviation of the prediction on each side, in pixels.
    public var margin: Point
    /// The last detection, as the detector gave it.
    public var detection: Detection
    /// Whether more reads of the symbol are wanted before its payload is believed.
    public var wantsReads: Bool
    /// Consecutive frames without a detection.
    public var missingFrames: Int

    public init(
        id: TrackID?, box: Box, margin: Point, detection: Detection, wantsReads: Bool = false, missingFrames: Int = 0
    ) {
        self.id = id
        self.box = box
        self.margin = margin
        self.detection = detection
        self.wantsReads = wantsReads
        self.missingFrames = missingFrames
    }
}
