// SPDX-License-Identifier: Apache-2.0
import BinaryFormat
import EventLog
import Glibc

/// The file that records the sequence numbers in use. The daemon writes a number here before any subscriber receives
/// it, so the record outlives the process.
///
/// ```
///     header    at 0, written in place: magic "GLtail\u{1}\n", boot id 36 bytes, run id 16 bytes, next number 64 bits,
///               16 counts of 64 bits, CRC-32
///     frames    from 512 on: length 32 bits, a `RecordBlock` of events other than updates
/// ```
///
/// The kernel's page cache outlives a process, but not a power cut. After a power cut the boot id differs, and the
/// database's lease applies. Writing the header in place needs no disk space; frames need space, and are left out
/// without it.
struct SequenceTail: Sendable {
    static let framesStart = 512
    /// The size in bytes from which on the file is rewritten without events in the database.
    static let rewriteBytes = 256 * 1024
    /// The size in bytes from which on no frame is added while the database cannot write.
    static let maximumBytes = 4 << 20
    private static let magic = Array("GLtail\u{1}\n".utf8)

    /// The contents of a process's file.
    struct Remains: Sendable, Equatable {
        var bootID: String
        var runID: String
        var nextSequence: UInt64
        var counts: EventCounts
        /// The stored events other than updates, in ascending order.
        var records: [ArchivedRecord] = []
    }

    private let path: String
    private let bootID: String
    private let runID: String
    private var descriptor: CInt
    private(set) var bytes = Self.framesStart

    /// Writes a new file.
    ///
    /// - Throws: `JournalError`.
    init(
        path: String, runID: String, next: UInt64, counts: EventCounts, records: [ArchivedRecord] = []
    ) throws(JournalError) {
        self.path = path
        self.runID = runID
        bootID = Self.currentBootID
        descriptor = -1
        try rewrite(next: next, counts: counts, records: records)
    }

    func close() { Glibc.close(descriptor) }

    /// Closes and deletes the file, because its contents are no longer correct.
    func abandon() {
        close()
        unlink(path)
    }

    /// - Parameter records: events other than updates.
    /// - Returns: false if the sequence number could not be written.
    mutating func write(next: UInt64, counts: EventCounts, records: [ArchivedRecord]) -> Bool {
        let frame = Self.frame(records)
        if !frame.isEmpty, bytes + frame.count <= Self.maximumBytes,
            Self.write(frame, to: descriptor, at: bytes)
        {
            bytes += frame.count
        }
        return Self.write(header(next, counts), to: descriptor, at: 0)
    }

    /// Replaces the file with a new one. If that fails, the old file remains.
    mutating func rewrite(next: UInt64, counts: EventCounts, records: [ArchivedRecord]) throws(JournalError) {
        let temporary = "\(path).new"
        let new = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
        guard new >= 0 else { throw JournalError("cannot write \(temporary): \(words(errno))") }
        var content = header(next, counts)
        content += repeatElement(0, count: Self.framesStart - content.count)
        content += Self.frame(records)
        guard Self.write(content, to: new, at: 0), rename(temporary, path) == 0 else {
            let error = JournalError("cannot write \(path): \(words(errno))")
            Glibc.close(new)
            unlink(temporary)
            throw error
        }
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = new
        bytes = content.count
    }

    // MARK: Bytes

    private func header(_ next: UInt64, _ counts: EventCounts) -> [UInt8] {
        var header = Self.magic
        header += Array(bootID.utf8.prefix(36)) + repeatElement(0, count: max(0, 36 - bootID.utf8.count))
        header += Array(runID.utf8.prefix(16)) + repeatElement(0, count: max(0, 16 - runID.utf8.count))
        header.append(integer: next)
        for count in counts.values { header.append(integer: count) }
        var check = CRC32()
        check.update(header[...])
        header.append(integer: UInt64(check.value), bytes: 4)
        return header
    }

    private static func frame(_ records: [ArchivedRecord]) -> [UInt8] {
        guard !records.isEmpty else { return [] }
        let block = RecordBlock.encode(records)
        var frame: [UInt8] = []
        frame.append(integer: UInt64(block.count), bytes: 4)
        return frame + block
    }

    /// Reads the file up to the first incomplete frame.
    ///
    /// - Returns: nil for bytes that are not such a file.
    static func read(_ file: [UInt8]) -> Remains? {
        let length = magic.count + 36 + 16 + 8 + 16 * 8
        guard file.count >= length + 4, file.starts(with: magic) else { return nil }
        var check = CRC32()
        check.update(file[..<length])
        var reader = PayloadReader(file[magic.count...])
        guard let boot = reader.bytes(36), let run = reader.bytes(16), let next = reader.integer() else { return nil }
        let counts = EventCounts(values: (0..<16).compactMap { _ in reader.integer() })
        guard reader.integer(bytes: 4) == UInt64(check.value) else { return nil }
        func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
        var remains = Remains(bootID: text(boot), runID: text(run), nextSequence: next, counts: counts)
        guard file.count > framesStart else { return remains }
        reader = PayloadReader(file[framesStart...])
        while let length = reader.integer(bytes: 4), let block = reader.bytes(Int(length)),
            let records = RecordBlock.decode(block)
        {
            // No subscriber received the events of a frame whose number was not written.
            remains.records += records.filter {
                $0.sequence < next && $0.sequence > remains.records.last?.sequence ?? 0
            }
        }
        return remains
    }

    private static func write(_ bytes: [UInt8], to descriptor: CInt, at offset: Int) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done, off_t(offset + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            done += count
        }
        return true
    }

    /// The id of this boot of the machine; it changes with each boot: random(4).
    static var currentBootID: String {
        guard let file = fopen("/proc/sys/kernel/random/boot_id", "r") else { return "" }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 36)
        let count = fread(&text, 1, text.count, file)
        return String(decoding: text.prefix(count), as: UTF8.self)
    }
}

func words(_ code: CInt) -> String { String(cString: strerror(code)) }
