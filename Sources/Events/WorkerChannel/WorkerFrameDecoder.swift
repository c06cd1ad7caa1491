// SPDX-License-Identifier: Apache-2.0
/// Extracts messages from a stream of bytes, which may be split anywhere and may contain arbitrary data.
///
/// Bytes outside frames are skipped up to the next magic, and counted. Memory is bounded by one frame and the bytes of
/// one `append` call.
package struct WorkerFrameDecoder: Sendable {
    /// The number of bytes outside frames.
    package private(set) var garbageBytes = 0
    /// The number of frames whose payload is invalid.
    package private(set) var badFrames = 0

    private var buffer: [UInt8] = []
    /// The index in `buffer` of the first unread byte.
    private var start = 0
    private var origins = OriginReader()

    package init() {}

    package mutating func append(_ bytes: some Collection<UInt8>) {
        if bytes.withContiguousStorageIfAvailable({ append(UnsafeRawBufferPointer($0)) }) == nil {
            Array(bytes).withUnsafeBytes { append($0) }
        }
    }

    /// Appends bytes without the run-time generics of the other `append`. Frequent callers use this function.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: true)
        } else {
            buffer.removeFirst(start)
        }
        start = 0
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next complete message of a type, or nil if more bytes are needed. A message of another type counts
    /// as a bad frame.
    package mutating func next<Message: WorkerChannelMessage>(_ type: Message.Type = Message.self) -> Message? {
        message { _, tag, payload in Message(tag: tag, payload: payload) }
    }

    /// `next` for the frequent messages, without generics at run time.
    package mutating func next(_ type: FromWorker.Type) -> FromWorker? {
        message { origins, tag, payload in FromWorker(tag: tag, payload: payload, &origins) }
    }

    @inline(__always)
    private mutating func message<Message>(
        _ decode: (inout OriginReader, _ tag: UInt8, _ payload: ArraySlice<UInt8>) -> Message?
    ) -> Message? {
        while skipToMagic(), buffer.count - start >= WorkerFrame.headerBytes {
            let tagAndLength = word(at: start + 4)
            let payload = start + WorkerFrame.headerBytes
            let end = payload + Int(tagAndLength >> 8)
            guard end - payload <= WorkerFrame.maximumPayloadBytes else {
                skip(1)
                continue
            }
            guard end <= buffer.count else { return nil }
            start = end
            if let message = decode(&origins, UInt8(truncatingIfNeeded: tagAndLength), buffer[payload..<end]) {
                return message
            }
            badFrames += 1
        }
        return nil
    }

    /// Moves to the next magic, or to bytes at the buffer's end that may begin one.
    ///
    /// - Returns: false if the buffer contains no complete magic.
    private mutating func skipToMagic() -> Bool {
        if buffer.count - start >= WorkerFrame.headerBytes, word(at: start) == WorkerFrame.magicWord { return true }
        while let index = buffer[start...].firstIndex(of: WorkerFrame.magic[0]) {
            skip(index - start)
            let available = min(WorkerFrame.magic.count, buffer.count - start)
            if (1..<available).allSatisfy({ buffer[start + $0] == WorkerFrame.magic[$0] }) {
                return available == WorkerFrame.magic.count
            }
            skip(1)
        }
        skip(buffer.count - start)
        return false
    }

    /// The four bytes from an index on as a little-endian integer.
    private func word(at index: Int) -> UInt32 {
        buffer.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: index, as: UInt32.self)) }
    }

    private mutating func skip(_ count: Int) {
        start += count
        garbageBytes += count
    }
}
