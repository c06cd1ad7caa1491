// SPDX-License-Identifier: Apache-2.0
import BinaryFormat
import Glibc
import Observations

/// Reads a tape from its first record to its last, or to the first incomplete one. Memory is bounded by the longest
/// record.
package struct TapeReader: ~Copyable {
    /// The end of a tape.
    package enum Ending: Sendable, Equatable {
        /// The tape has its end record.
        case complete
        /// The tape ends after a complete record or within a record, because the recording process was killed or the
        /// disk was full.
        case cutOff(at: Int)
        /// A record has a wrong checksum or an unknown form.
        case damaged(at: Int)

        /// nil for a complete tape.
        package var warning: String? {
            switch self {
            case .complete: nil
            case .cutOff(let offset): "the tape is truncated: it ends after \(offset) bytes without an end record"
            case .damaged(let offset): "the tape is damaged at byte \(offset): the rest was not replayed"
            }
        }
    }

    private static let chunk = 256 << 10

    package let header: TapeHeader
    /// nil before the last record was read.
    package private(set) var ending: Ending?

    private let path: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    /// The index of the unread part of `buffer`, and the offset of `buffer` in the tape.
    private var (start, offset) = (0, 0)

    package init(_ path: String) throws(TapeError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw TapeError("\(path): \(String(cString: strerror(errno)))", isMissing: true)
        }
        var buffer: [UInt8] = []
        do {
            header = try Self.header(descriptor, path, &buffer)
        } catch {
            close(descriptor)
            throw error
        }
        self.path = path
        self.descriptor = descriptor
        self.buffer = buffer
        start = TapeFormat.magic.count + TapeFormat.recordHeaderBytes + Int(buffer.number(at: TapeFormat.magic.count))
    }

    deinit { close(descriptor) }

    /// The next record except `.end`; nil at the end, which `ending` describes.
    package mutating func next() throws(TapeError) -> TapeRecord? {
        guard ending == nil else { return nil }
        let first = start + TapeFormat.recordHeaderBytes
        guard try fill(to: first) else { return finish(.cutOff(at: offset + start)) }
        // `fill` may have moved the unread bytes.
        let length = Int(buffer.number(at: start))
        guard length <= TapeFormat.longestPayload else { return finish(.damaged(at: offset + start)) }
        guard try fill(to: start + TapeFormat.recordHeaderBytes + length) else {
            return finish(.cutOff(at: offset + start))
        }
        let payload = buffer[start + TapeFormat.recordHeaderBytes..<start + TapeFormat.recordHeaderBytes + length]
        var check = CRC32()
        check.update(payload)
        guard check.value == buffer.number(at: start + 4),
            let record = try? TapeRecord(payload: payload, lanes: header.lanes)
        else { return finish(.damaged(at: offset + start)) }
        start += TapeFormat.recordHeaderBytes + length
        return record == .end ? finish(.complete) : record
    }

    private mutating func finish(_ ending: Ending) -> TapeRecord? {
        self.ending = ending
        return nil
    }

    /// Reads until `buffer` reaches the index `end`; false if the tape is shorter. Bytes before `start` are removed, so
    /// `start` is 0 after any read.
    private mutating func fill(to end: Int) throws(TapeError) -> Bool {
        guard buffer.count < end else { return true }
        let wanted = end - start
        buffer.removeFirst(start)
        offset += start
        start = 0
        return try Self.fill(&buffer, to: wanted, from: descriptor, path)
    }

    private static func fill(
        _ buffer: inout [UInt8], to wanted: Int, from descriptor: Int32, _ path: String
    ) throws(TapeError) -> Bool {
        while buffer.count < wanted {
            var failure: Int32 = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: Self.chunk) { bytes, count in
                let result = read(descriptor, bytes.baseAddress, bytes.count)
                if result < 0 { failure = errno }
                count = max(0, result)
            }
            if failure == EINTR { continue }
            guard failure == 0 else {
                throw TapeError("\(path): \(String(cString: strerror(failure)))", isMissing: true)
            }
            if chunk.isEmpty { return false }
            buffer += chunk
        }
        return true
    }

    private static func header(
        _ descriptor: Int32, _ path: String, _ buffer: inout [UInt8]
    ) throws(TapeError) -> TapeHeader {
        let magic = TapeFormat.magic
        let isLong = try fill(&buffer, to: magic.count + TapeFormat.recordHeaderBytes, from: descriptor, path)
        guard buffer.starts(with: magic.prefix(TapeFormat.nameLength)) else {
            throw TapeError("\(path): the file is not a tape; record one with: glimpsed pipeline FILE --record TAPE")
        }
        guard buffer.starts(with: magic) else {
            throw TapeError("\(path): the tape has another version than 4, which this program reads")
        }
        let first = magic.count + TapeFormat.recordHeaderBytes
        guard isLong, case let length = Int(buffer.number(at: magic.count)), length <= TapeFormat.longestPayload,
            try fill(&buffer, to: first + length, from: descriptor, path)
        else { throw TapeError("\(path): the tape ends within its header: nothing was recorded") }
        let payload = buffer[first..<first + length]
        var check = CRC32()
        check.update(payload)
        guard check.value == buffer.number(at: magic.count + 4), let header = try? TapeHeader(payload: payload) else {
            throw TapeError("\(path): the tape's header is damaged")
        }
        return header
    }
}
