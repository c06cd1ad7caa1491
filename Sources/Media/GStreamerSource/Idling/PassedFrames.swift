// SPDX-License-Identifier: Apache-2.0
import Frames

/// The encoded frames on their way through a decoder, by the time stamps that the decoder sees.
///
/// A decoder expects times that grow. Frames that are decoded again would go back in time, so they and all later frames
/// get a shifted stamp. Behind the decoder they get their own stamp again.
struct PassedFrames {
    struct Frame: Equatable {
        var number: UInt64
        /// The frame's own time stamp, in nanoseconds.
        var time: Int64
        var role: FrameRole
        /// The frames before it that were left out.
        var skipped: UInt64 = 0
    }

    /// The most frames within a decoder: see `DecodeWatch`.
    private static let capacity = 64
    /// Between the last frame before and the first frame of a repetition.
    private static let gap: Int64 = 1_000_000

    private var frames: [(stamp: Int64, frame: Frame)] = []
    private(set) var shift: Int64 = 0
    private var lastStamp: Int64?
    private var lastNumber: UInt64 = 0
    /// The encoded frames that the decoder gave no picture for.
    private var lost: UInt64 = 0

    /// Shifts the stamps so that a frame with this time follows the last passed frame.
    mutating func repeats(from time: Int64) {
        if let lastStamp { shift = lastStamp + Self.gap - time }
    }

    /// Records a frame that goes to the decoder.
    ///
    /// - Returns: the stamp for the decoder.
    mutating func pass(_ frame: Frame) -> Int64 {
        let stamp = frame.time + shift
        if frames.count == Self.capacity { frames.removeFirst() }
        frames.append((stamp, frame))
        lastStamp = stamp
        return stamp
    }

    /// Finds a decoded frame by the decoder's stamp, and numbers it. The numbers of frames in the roles `ordinary` and
    /// `past` grow by one for each; frames that nobody decoded, and nobody will, count too.
    ///
    /// - Parameter stamp: nil if the decoded frame has none.
    mutating func leave(_ stamp: Int64?) -> Frame {
        guard let stamp, let index = frames.firstIndex(where: { $0.stamp == stamp }) else {
            lastNumber += 1
            return Frame(number: lastNumber, time: stamp.map { $0 - shift } ?? 0, role: .ordinary)
        }
        var frame = frames.remove(at: index).frame
        switch frame.role {
        case .ordinary:
            lastNumber += 1 + frame.skipped
            lost = frame.number > lastNumber ? frame.number - lastNumber : 0
            frame.number = lastNumber
        case .past:
            lastNumber = max(frame.number - min(lost, frame.number), lastNumber + 1)
            frame.number = lastNumber
        case .glance, .sample, .again: frame.number -= min(lost, frame.number)
        }
        return frame
    }

    /// The last frame in the role `glance` counts as seen, under this number of `leave`.
    mutating func accept(_ number: UInt64) { lastNumber = max(lastNumber, number) }
}
