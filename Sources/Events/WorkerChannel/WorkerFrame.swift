// SPDX-License-Identifier: Apache-2.0
import BinaryFormat

/// The envelope of a message: twelve bytes of header, then the payload.
///
///     offset  0  magic    "\u{1}GL\u{2}" (bytes 01 47 4C 02): no text begins with byte 01; byte 02 is the version
///             4  tag      the type of the message
///             5  length   of the payload, 24 bits, little-endian, at most 1 MiB
///             8  CRC-32   of tag, length and payload, little-endian
///            12  payload
///
/// A frame that is incomplete because its process ended, or that contains the output of a library, fails the check and
/// is skipped.
package enum WorkerFrame {
    static let magic: [UInt8] = [0x01, 0x47, 0x4C, 0x02]
    static let headerBytes = 12
    package static let maximumPayloadBytes = 1 << 20

    /// Appends the frame of `message`.
    ///
    /// - Returns: false for a payload over 1 MiB; then nothing is appended.
    @discardableResult
    package static func append(_ message: some WorkerChannelMessage, to bytes: inout [UInt8]) -> Bool {
        let start = bytes.count
        bytes.append(contentsOf: magic)
        bytes.append(message.tag)
        bytes.append(contentsOf: repeatElement(0, count: headerBytes - 5))
        message.appendPayload(to: &bytes)
        let length = bytes.count - start - headerBytes
        guard length <= maximumPayloadBytes else {
            bytes.removeSubrange(start...)
            return false
        }
        for index in 0..<3 { bytes[start + 5 + index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
        var check = CRC32()
        check.update(bytes[(start + 4)..<(start + 8)])
        check.update(bytes[(start + headerBytes)...])
        for index in 0..<4 { bytes[start + 8 + index] = UInt8(truncatingIfNeeded: check.value >> UInt32(8 * index)) }
        return true
    }
}
