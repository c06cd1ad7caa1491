import BinaryFormat

/// A tape is a line that names the format, then records, the header first: the payload's length and its CRC-32 (four bytes each,
/// little-endian), then the payload, whose first byte says what it is.
enum TapeFormat {
    static let magic = Array("glimpse tape 3\n".utf8)
    /// Of the magic; what comes after it in the line is the version.
    static let nameLength = 13
    static let recordHeaderBytes = 8
    /// Far more than the detections of a frame can take: a tracker takes 1024, a payload at most some kilobytes.
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

    /// The number that `put(littleEndian:bytes: 4)` put there.
    func number(at start: Int) -> UInt32 {
        self[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
