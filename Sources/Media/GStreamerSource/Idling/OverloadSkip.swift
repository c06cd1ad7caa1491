// SPDX-License-Identifier: Apache-2.0

/// Decides which frames a decoder that is behind its camera leaves out. The type is pure.
///
/// A frame depends on those before it, so all frames up to a key frame are left out. Otherwise the queue in front of
/// the decoder would grow to its limit. Events would be as old as the queue is long, and packets would get lost.
struct OverloadSkip {
    /// In nanoseconds of the stream: as long as frames may be held while the camera idles.
    static let mostBehind: UInt64 = 5_000_000_000

    private var isSkipping = false
    /// The number of frames left out since the last frame that passed.
    private(set) var skipped: UInt64 = 0

    /// - Parameters:
    ///   - behind: the length of the video behind the frame, in nanoseconds.
    ///   - isIdle: whether the source idles from this frame on. The frames that are held depend on this one.
    /// - Returns: whether the frame is left out.
    mutating func leavesOut(isKey: Bool, behind: UInt64, isIdle: Bool = false) -> Bool {
        isSkipping = !isIdle && (behind > Self.mostBehind || isSkipping && !isKey)
        if isSkipping { skipped += 1 }
        return isSkipping
    }

    /// - Returns: the frames left out before the next one.
    mutating func take() -> UInt64 {
        defer { skipped = 0 }
        return skipped
    }
}
