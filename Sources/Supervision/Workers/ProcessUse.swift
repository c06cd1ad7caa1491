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
        guard let pages = Self.line("/proc/\(process)/statm")?.split(separator: " ").compactMap({ Int($0) }),
            pages.count > 2, pages[1] > 0,
            // The name before `)` may contain any characters. The state is field 3, the
            // user's and the system's time are fields 14 and 15, num_threads is field 20.
            let fields = Self.line("/proc/\(process)/stat")?.split(separator: ")").last?.split(separator: " "),
            fields.count > 17, let threads = Int(fields[17]), let user = UInt64(fields[11]),
            let system = UInt64(fields[12])
        else { return nil }
        memory = (pages[1] - pages[2]) * sysconf(Int32(_SC_PAGESIZE))
        resident = pages[1] * sysconf(Int32(_SC_PAGESIZE))
        self.threads = threads
        processorTime = (user + system) * (1_000_000 / UInt64(sysconf(Int32(_SC_CLK_TCK))))
    }

    /// The memory in bytes that the process shares with others and that no file backs; nil if the process has ended.
    /// The kernel takes two milliseconds.
    static func sharedMemory(of process: pid_t) -> Int? {
        guard let file = fopen("/proc/\(process)/smaps_rollup", "re") else { return nil }
        defer { fclose(file) }
        while let line = line(file) {
            guard line.hasPrefix("Shared_Dirty:") else { continue }
            return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
        }
        return nil
    }

    private static func line(_ path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        return line(file)
    }

    private static func line(_ file: UnsafeMutablePointer<FILE>) -> String? {
        var text = [CChar](repeating: 0, count: 1024)
        guard fgets(&text, Int32(text.count), file) != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
