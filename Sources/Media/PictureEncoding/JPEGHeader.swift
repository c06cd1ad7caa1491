// SPDX-License-Identifier: Apache-2.0
/// The size in a JPEG file's frame header (ITU-T T.81, B.2.2).
enum JPEGHeader {
    /// Says that the picture is smaller than the encoded one, so that decoders cut it. The cut part must be less than
    /// one unit of coding: 16 pixels with chroma for each two, 8 without. A file has only as many units as its size
    /// needs.
    ///
    /// - Returns: whether there is a frame header.
    static func setSize(width: Int, height: Int, in bytes: inout [UInt8]) -> Bool {
        var at = 2
        while at + 9 <= bytes.count, bytes[at] == 0xFF {
            if (0xC0...0xC2).contains(bytes[at + 1]) {
                for (offset, value) in [(5, height), (7, width)] {
                    bytes[at + offset] = UInt8(value >> 8)
                    bytes[at + offset + 1] = UInt8(value & 0xFF)
                }
                return true
            }
            at += 2 + Int(bytes[at + 2]) * 256 + Int(bytes[at + 3])
        }
        return false
    }
}
