// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The current resource use of a process, from proc(5).
struct ProcessUse: Sendable, Equatable {
    /// The memory in bytes that no file backs: resident minus pages of files.
    var memory: Int
    /// The resident memory in bytes, with shared pages.
    var resident: Int
    var threads: Int
    /// The processor time of all threads in microseconds.
    var processorTime: UInt64

    init(memory: Int, resident: Int = 0, threads: Int, processorTime: UInt64 = 0) {
        self.memory = memory
        self.resident = resident
        self.threads = threads
        self.processorTime = processorTime
    }

    /// nil if the process has ended.
    init?(of process: pid_t) {
        guard let pages = Self.fields("/proc/\(process)/statm"), pages.count > 2,
            let resident = Int(pages[1]), resident > 0, let files = Int(pages[2]),
            // Without the name, the user's and the system's time are fields 12 and 13, and num_threads is field 18.
            let fields = Self.fields("/proc/\(process)/stat"), fields.count > 17,
            let threads = Int(fields[17]), let user = UInt64(fields[11]), let system = UInt64(fields[12])
        else { return nil }
        memory = (resident - files) * sysconf(Int32(_SC_PAGESIZE))
        self.resident = resident * sysconf(Int32(_SC_PAGESIZE))
        self.threads = threads
        processorTime = (user + system) * (1_000_000 / UInt64(sysconf(Int32(_SC_CLK_TCK))))
    }

    /// The memory in bytes that the process shares with others and that no file backs; nil if the process has ended.
    /// The kernel takes two milliseconds.
    static func sharedMemory(of process: pid_t) -> Int? {
        guard let file = fopen("/proc/\(process)/smaps_rollup", "re") else { return nil }
        defer { fclose(file) }
        while let line = line(file) {
            guard line.starts(with: "Shared_Dirty:".utf8) else { continue }
            return words(line[...]).dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
        }
        return nil
    }

    /// The words of a file's first line. A name in parentheses, which may contain any characters, is left out with all
    /// before it.
    private static func fields(_ path: String) -> [Substring]? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        return line(file).map { words($0[($0.lastIndex(of: UInt8(ascii: ")")).map { $0 + 1 } ?? 0)...]) }
    }

    /// Splits bytes, because the characters of a text take ten times as many instructions.
    private static func words(_ line: ArraySlice<UInt8>) -> [Substring] {
        line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }.map {
            Substring(decoding: $0, as: UTF8.self)
        }
    }

    private static func line(_ file: UnsafeMutablePointer<FILE>) -> [UInt8]? {
        let line = [UInt8](unsafeUninitializedCapacity: 1024) { bytes, count in
            bytes.withMemoryRebound(to: CChar.self) { text in
                guard let start = text.baseAddress, fgets(start, Int32(text.count), file) != nil else { return }
                count = strlen(start)
            }
        }
        return line.isEmpty ? nil : line
    }
}
