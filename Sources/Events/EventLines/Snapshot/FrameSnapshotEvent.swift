import Observations

/// A picture of a whole frame, by command, that is whole on disk.
public struct FrameSnapshotEvent: Sendable, Equatable {
    /// What stands for a rule in its line.
    public static let rule = "command"

    public var frame: FrameInfo
    /// The picture's path. The next one by command takes its place.
    public var file: String
    /// Pixels of the picture.
    public var width: Int
    public var height: Int
    public var bytes: Int

    public init(frame: FrameInfo, file: String, width: Int, height: Int, bytes: Int) {
        self.frame = frame
        self.file = file
        self.width = width
        self.height = height
        self.bytes = bytes
    }
}
