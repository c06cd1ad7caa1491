// SPDX-License-Identifier: Apache-2.0
import Observations

/// A picture of a whole frame, taken by command and completely written to disk.
public struct FrameSnapshotEvent: Sendable, Equatable {
    /// The value of `rule` in its line.
    public static let rule = "command"

    /// The frame that the picture shows.
    public var frame: FrameInfo
    /// The picture's path. The next picture by command replaces the file.
    public var file: String
    /// The size of the picture in pixels.
    public var width: Int
    public var height: Int
    /// The size of the file in bytes.
    public var bytes: Int

    public init(frame: FrameInfo, file: String, width: Int, height: Int, bytes: Int) {
        self.frame = frame
        self.file = file
        self.width = width
        self.height = height
        self.bytes = bytes
    }
}
