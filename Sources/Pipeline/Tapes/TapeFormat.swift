// SPDX-License-Identifier: Apache-2.0
import BinaryFormat

/// The format of a tape: a line that names the format, then records, the header first. A record is the payload's length
/// and its CRC-32 (four bytes each, little-endian), then the payload. The first byte of a payload is its tag.
enum TapeFormat {
    static let magic = Array("glimpse tape 4\n".utf8)
    /// The length of the name in the magic; the rest of the line is the version.
    static let nameLength = 13
    static let recordHeaderBytes = 8
    /// The longest payload. It is far above the detections of a frame: a tracker takes 1024, and a barcode payload has
    /// at most some kilobytes.
    static let longestPayload = 32 << 20

    /// Appends a record.
    static func append(to bytes: inout [UInt8], _ payload: (inout [UInt8]) -> Void) {
        let start = bytes.count
        bytes.put(littleEndian: 0, bytes: recordHeaderBytes)
        payload(&bytes)
        let first = start + recordHeaderBytes
        var check = CRC32()
        check.update(bytes[first...])
        bytes.set(UInt32(bytes.count - first), at: start)
        bytes.set(check.value, at: start + 4)
    }
}

extension [UInt8] {
    fileprivate mutating func set(_ value: UInt32, at start: Int) {
        for index in 0..<4 { self[start + index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * index)) }
    }

    /// Reads the number written by `put(littleEndian:bytes: 4)`.
    func number(at start: Int) -> UInt32 {
        self[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
