// SPDX-License-Identifier: Apache-2.0

/// Encoded frames of a file, in the order of decoding. (ISO/IEC 14496-12, movie fragments.)
package struct MovieFragment: Sendable {
    package struct Frame: Sendable, Equatable {
        /// Up to the decode time of the next frame, in nanoseconds; at most 4.29 s.
        package var duration: Int64
        /// From the decode time to the presentation time, in nanoseconds; at most 2.14 s in both directions.
        package var offset: Int64
        /// Whether the frame depends on no other.
        package var isKey: Bool
        /// Its units, each behind its length, as `VideoDescription.configuration` says.
        package var content: [UInt8]

        package init(duration: Int64, offset: Int64 = 0, isKey: Bool, content: [UInt8]) {
            (self.duration, self.offset, self.isKey, self.content) = (duration, offset, isKey, content)
        }
    }

    /// Grows from fragment to fragment.
    package var number: UInt64
    /// The decode time of the first frame, in nanoseconds, not negative.
    package var time: Int64
    package var frames: [Frame]

    package init(number: UInt64, time: Int64, frames: [Frame]) {
        (self.number, self.time, self.frames) = (number, time, frames)
    }

    package var bytes: [UInt8] {
        let size = frames.reduce(0) { $0 + $1.content.count }
        let (runSize, dataOffset) = (20 + 16 * frames.count, 8 + 16 + 8 + 16 + 20 + 20 + 16 * frames.count + 8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(dataOffset + size)
        bytes += Box.numbers([dataOffset - 8]) + Box.text("moof")
        bytes += Box.bytes("mfhd", Box.numbers([0, Int(number & 0xFFFF_FFFF)]))
        bytes += Box.numbers([8 + 16 + 20 + runSize]) + Box.text("traf")
        // Offsets count from the begin of the fragment.
        bytes += Box.bytes("tfhd", Box.numbers([0x2_0000, 1]))
        // The decode time has 64 bits.
        bytes += Box.bytes("tfdt", Box.numbers([0x100_0000, Int(time >> 32), Int(time & 0xFFFF_FFFF)]))
        // Version 1: offsets of frames may be negative.
        bytes += Box.numbers([runSize]) + Box.text("trun") + Box.numbers([0x100_0F01, frames.count, dataOffset])
        for frame in frames {
            let (duration, offset) = (UInt32(clamping: frame.duration), Int32(clamping: frame.offset))
            let flags = frame.isKey ? 0x200_0000 : 0x101_0000
            bytes += Box.numbers([Int(duration), frame.content.count, flags, Int(offset)])
        }
        bytes += Box.numbers([8 + size]) + Box.text("mdat")
        for frame in frames { bytes += frame.content }
        return bytes
    }
}
