// SPDX-License-Identifier: Apache-2.0
/// Inserts an EXIF segment that contains only the orientation into a JPEG file.
package enum ExifOrientation {
    package static func insert(_ orientation: Int, into jpeg: [UInt8]) -> [UInt8] {
        var exif: [UInt8] = Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8]
        // One entry: tag 0x0112, SHORT, one value; no next directory.
        exif += [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0]
        let length = exif.count + 2
        return Array(jpeg[..<2]) + [0xff, 0xe1, UInt8(length >> 8), UInt8(length & 0xff)] + exif + jpeg[2...]
    }
}
