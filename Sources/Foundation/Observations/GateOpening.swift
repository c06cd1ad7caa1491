// SPDX-License-Identifier: Apache-2.0
/// Why a detector runs on a frame after its gate withheld the frames before.
public struct GateOpening: Sendable, Equatable {
    /// The number of frames that the gate withheld since the detector's last run; at least 1.
    public var unchanged: Int
    public var cause: Cause

    public init(unchanged: Int, cause: Cause) {
        self.unchanged = unchanged
        self.cause = cause
    }

    /// The reason why the detector must see the frame.
    public enum Cause: Sendable, Equatable {
        /// A tile of the picture differs from the frame of the detector's last run.
        ///
        /// - box: the tile with the largest difference, in pixels of the frame.
        /// - excess: the sum over the tile's samples of what exceeds the noise, in levels of luma.
        /// - limit: the lowest excess that opens the gate.
        case change(box: Box, excess: Int, limit: Int)
        /// The detector's last run is `limit` seconds old.
        case refresh(limit: Double)
        /// A track is tentative or missing, or its label is unsettled.
        case track
        /// The last run does not apply to the frame: the focus moved, the rules or the size of the picture changed, or
        /// time jumped.
        case reset
    }
}
