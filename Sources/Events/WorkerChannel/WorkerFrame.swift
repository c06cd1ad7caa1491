// SPDX-License-Identifier: Apache-2.0
/// The envelope of a message: eight bytes of header, then the payload.
///
///     offset  0  magic    "\u{1}GL\u{3}" (bytes 01 47 4C 03): no text begins with byte 01; byte 03 is the version
///             4  tag      the type of the message
///             5  length   of the payload, 24 bits, little-endian, at most 1 MiB
///             8  payload
///
/// Only the worker's channel writes to its pipe, and a pipe changes no bytes, so a frame has no checksum. A frame that
/// is incomplete because its process ended is the last one.
package enum WorkerFrame {
    static let magic: [UInt8] = [0x01, 0x47, 0x4C, 0x03]
    /// The magic as a little-endian integer.
    static let magicWord = magic.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    static let headerBytes = 8
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
        return true
    }
}
