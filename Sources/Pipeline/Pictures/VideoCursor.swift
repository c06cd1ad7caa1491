// SPDX-License-Identifier: Apache-2.0
import Frames

/// Decides which encoded frames a viewer gets. The type is pure.
///
/// A viewer begins with the newest key frame. A viewer that is too far behind loses frames, and goes on at the newest
/// key frame.
struct VideoCursor {
    /// In nanoseconds of the stream.
    private static let mostBehind: Int64 = 2_000_000_000

    /// The number of the last frame that the viewer got; nil before the first.
    private(set) var number: UInt64?
    private(set) var sent: UInt64 = 0
    private(set) var lost: UInt64 = 0
    private var format: Int?

    /// The frames that the viewer gets next, without a gap between them.
    ///
    /// - Parameters:
    ///   - frames: those in memory after `number`, or all.
    ///   - limit: later frames are not due yet.
    /// - Returns: nil if the next frame has another format, so that the viewer's video ends.
    func due(_ frames: [EncodedFrame], until limit: Int64) -> ArraySlice<EncodedFrame>? {
        // A decode time is not negative.
        let frames = frames.filter { frame in
            guard let time = frame.presentationTime else { return false }
            return time >= 0 && time <= limit && frame.number > number ?? 0
        }
        guard let first = frames.first, let last = frames.last else { return [] }
        let isNext = first.number == number.map { $0 + 1 }
        let isLate = (last.presentationTime ?? 0) - (first.presentationTime ?? 0) > Self.mostBehind
        var start = 0
        if !isNext || isLate {
            guard let key = frames.lastIndex(where: \.isKey) ?? (isNext ? 0 : nil) else { return [] }
            start = key
        }
        let begin = frames[start]
        guard format == nil || begin.format == format else { return nil }
        let end = frames[start...].enumerated().first {
            $1.number != begin.number + UInt64($0) || $1.format != begin.format
        }
        return frames[start..<(end.map { start + $0.offset } ?? frames.count)]
    }

    mutating func advance(to frame: EncodedFrame) {
        if let number { lost += frame.number - number - 1 }
        (number, format, sent) = (frame.number, frame.format, sent + 1)
    }
}
