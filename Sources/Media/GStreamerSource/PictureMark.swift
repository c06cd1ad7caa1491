// SPDX-License-Identifier: Apache-2.0
import Frames

/// A number that a buffer carries from the streaming thread to the thread that takes it out of the appsink.
struct PictureMark: Equatable, Sendable {
    /// How it was turned.
    var orientation: Orientation
    var role: FrameRole
    /// See `DecodeWatch`; in whole microseconds, up to `longest`.
    var decodeTime: Duration?
    private static let longest = 4e9

    init(_ orientation: Orientation, role: FrameRole = .ordinary, decodeTime: Duration?) {
        self.orientation = orientation
        self.role = role
        self.decodeTime = decodeTime
    }

    /// The time, of which 0 is none, is in the upper half.
    var bits: UInt64 {
        let turn = UInt64(orientation.rotation) << 1 | (orientation.mirrored ? 1 : 0) | UInt64(role.rawValue) << 16
        guard let decodeTime else { return turn }
        return turn | UInt64(min(max(0, decodeTime / .microseconds(1)), Self.longest) + 1) << 32
    }

    init(bits: UInt64) {
        orientation = Orientation(rotation: Int(bits >> 1 & 0x1FF) % 360, mirrored: bits & 1 == 1)
        role = FrameRole(rawValue: UInt8(truncatingIfNeeded: bits >> 16)) ?? .ordinary
        let time = bits >> 32
        decodeTime = time == 0 ? nil : .microseconds(Int64(time - 1))
    }
}
