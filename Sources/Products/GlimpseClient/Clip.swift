// SPDX-License-Identifier: Apache-2.0
/// A clip of a camera's own video is complete on disk.
public struct Clip: Sendable, Hashable {
    /// The path of the video, a fragmented MP4 file.
    public let file: String
    /// The path of the lines of the clip's time.
    public let events: String
    /// The time of the first frame.
    public let from: Timestamp
    /// The time of the last frame.
    public let to: Timestamp
    /// The presentation time of the first frame, in nanoseconds. That of a line beside it, less this one, is the line's
    /// place in the video.
    public let presentationTime: Int64
    /// The number of frames.
    public let frames: Int
    /// The size of the video file in bytes.
    public let bytes: Int
    /// The entries of `clip.on` that asked for the clip.
    public let reasons: [String]
    /// Whether a worker was killed while it wrote the clip.
    public let isRecovered: Bool
}

extension Clip {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case file, events, from, to, frames, bytes, reasons
        case presentationTime = "pts_ns"
        case isRecovered = "recovered"
    }

    init(from decoder: any Decoder) throws {
        let form = try decoder.container(keyedBy: CodingKeys.self)
        file = try form.decode(String.self, forKey: .file)
        events = try form.decode(String.self, forKey: .events)
        from = try form.decode(Timestamp.self, forKey: .from)
        to = try form.decode(Timestamp.self, forKey: .to)
        presentationTime = try form.decode(Int64.self, forKey: .presentationTime)
        frames = try form.decode(Int.self, forKey: .frames)
        bytes = try form.decode(Int.self, forKey: .bytes)
        reasons = try form.decode([String].self, forKey: .reasons)
        isRecovered = try form.decodeIfPresent(Bool.self, forKey: .isRecovered) ?? false
    }
}
