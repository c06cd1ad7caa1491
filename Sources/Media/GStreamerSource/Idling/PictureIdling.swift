// SPDX-License-Identifier: Apache-2.0
import Frames

/// Decides which pictures of a source without encoded frames are looked at.
///
/// While the picture is at rest, one picture in `interval` passes. The others are dropped, and never come again.
struct PictureIdling {
    /// The least time between two pictures at rest, in nanoseconds of the stream.
    let interval: Int64
    private(set) var arrived: UInt64 = 0
    private(set) var dropped: UInt64 = 0
    /// Why every picture passes from now on; nil while the source may idle.
    var obstacle: String?
    private var mayIdle = false
    /// The time of the last picture that passed.
    private var passed: Int64?

    init(every interval: Int64) { self.interval = interval }

    /// Whether the picture is at rest. If it is not, the next picture passes.
    mutating func mayIdle(_ rests: Bool) { mayIdle = rests }

    /// - Parameter time: in nanoseconds of the stream; nil without a time stamp.
    /// - Returns: the role in which the picture passes; nil if it is dropped.
    mutating func arrive(time: Int64?) -> FrameRole? {
        arrived += 1
        if time == nil { obstacle = obstacle ?? "its pictures have no time stamps" }
        guard mayIdle, obstacle == nil, let time, let passed, time >= passed else {
            self.passed = time
            return .ordinary
        }
        guard time - passed >= interval else {
            dropped += 1
            return nil
        }
        self.passed = time
        return .sample
    }
}
