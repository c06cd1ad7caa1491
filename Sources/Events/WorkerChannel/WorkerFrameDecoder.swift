// SPDX-License-Identifier: Apache-2.0
import BinaryFormat

/// Extracts messages from a stream of bytes, which may be split anywhere and may contain arbitrary data.
///
/// Bytes outside frames are skipped up to the next magic, and counted. Memory is bounded by one frame and the bytes of
/// one `append` call.
package struct WorkerFrameDecoder: Sendable {
    /// The number of bytes outside valid frames.
    package private(set) var garbageBytes = 0
    /// The number of frames with a correct magic and length whose check failed or whose payload is invalid.
    package private(set) var badFrames = 0

    private var buffer: [UInt8] = []
    /// The index in `buffer` of the first unread byte.
    private var start = 0

    package init() {}

    package mutating func append(_ bytes: some Collection<UInt8>) {
        if bytes.withContiguousStorageIfAvailable({ append(UnsafeRawBufferPointer($0)) }) == nil {
            Array(bytes).withUnsafeBytes { append($0) }
        }
    }

    /// Appends bytes without the run-time generics of the other `append`. Frequent callers use this function.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next complete message of a type, or nil if more bytes are needed. A message of another type counts
    /// as a bad frame.
    package mutating func next<Message: WorkerChannelMessage>(_ type: Message.Type = Message.self) -> Message? {
        message()
    }

    /// `next` for the frequent messages, without generics at run time.
    package mutating func next(_ type: FromWorker.Type) -> FromWorker? { message() }

    private mutating func message<Message: WorkerChannelMessage>() -> Message? {
        while skipToMagic(), buffer.count - start >= WorkerFrame.headerBytes {
            let length = (0..<3).reduce(0) { $0 | Int(buffer[start + 5 + $1]) << (8 * $1) }
            guard length <= WorkerFrame.maximumPayloadBytes else {
                skip(1)
                continue
            }
            let payloadStart = start + WorkerFrame.headerBytes
            guard buffer.count - payloadStart >= length else { return nil }
            let expected = (0..<4).reduce(UInt32(0)) { $0 | UInt32(buffer[start + 8 + $1]) << UInt32(8 * $1) }
            var check = CRC32()
            check.update(buffer[(start + 4)..<(start + 8)])
            check.update(buffer[payloadStart..<(payloadStart + length)])
            guard check.value == expected else {
                badFrames += 1
                skip(1)
                continue
            }
            let message = Message(
                tag: buffer[start + 4], payload: buffer[payloadStart..<(payloadStart + length)])
            start = payloadStart + length
            if let message { return message }
            badFrames += 1
        }
        return nil
    }

    /// Moves to the next magic, or to bytes at the buffer's end that may begin one.
    ///
    /// - Returns: false if the buffer contains no complete magic.
    private mutating func skipToMagic() -> Bool {
        while let index = buffer[start...].firstIndex(of: WorkerFrame.magic[0]) {
            skip(index - start)
            let available = min(WorkerFrame.magic.count, buffer.count - start)
            if buffer[start..<(start + available)].elementsEqual(WorkerFrame.magic.prefix(available)) {
                return available == WorkerFrame.magic.count
            }
            skip(1)
        }
        skip(buffer.count - start)
        return false
    }

    private mutating func skip(_ count: Int) {
        start += count
        garbageBytes += count
    }
}
