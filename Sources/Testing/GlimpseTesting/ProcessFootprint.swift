// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The resources of a process of this user, from proc(5).
package struct ProcessFootprint: Sendable {
    package let descriptors: Int
    package let threads: Int
    /// Resident bytes without shared pages.
    package let privateBytes: Int
    /// The number of ended children that were not waited for.
    package let zombies: Int

    /// nil if the process does not exist.
    package init?(of process: pid_t) {
        let folder = "/proc/\(process)"
        guard let pages = Self.text("\(folder)/statm")?.split(separator: " ").compactMap({ Int($0) }), pages.count > 2
        else { return nil }
        privateBytes = (pages[1] - pages[2]) * sysconf(Int32(_SC_PAGESIZE))
        descriptors = Self.entries("\(folder)/fd").count
        threads = Self.entries("\(folder)/task").count
        zombies = Self.children(of: process).filter { Self.state(of: $0) == "Z" }.count
    }

    /// The children of the process that were not waited for yet.
    package static func children(of process: pid_t) -> [pid_t] {
        entries("/proc/\(process)/task").flatMap { thread in
            (text("/proc/\(process)/task/\(thread)/children") ?? "").split(separator: " ").compactMap { pid_t($0) }
        }
    }

    /// The daemon's workers that have not ended.
    package static func workers(of daemon: pid_t) -> [pid_t] {
        children(of: daemon).filter { !isZygote($0) && state(of: $0) != "Z" }
    }

    /// The process that the daemon's workers are copies of.
    package static func zygote(of daemon: pid_t) -> pid_t? { children(of: daemon).first(where: isZygote) }

    private static func isZygote(_ process: pid_t) -> Bool {
        text("/proc/\(process)/cmdline")?.split(separator: "\0").dropFirst().first == "zygote"
    }

    /// The bytes of memory that the process shares with others and that some process has written; nil if the process
    /// does not exist.
    package static func sharedBytes(of process: pid_t) -> Int? {
        text("/proc/\(process)/smaps_rollup")?.split(separator: "\n").first { $0.hasPrefix("Shared_Dirty:") }
            .flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) }.map { $0 << 10 }
    }

    /// The number of heaps of malloc besides the first one; nil if the process does not exist. Each reserves 64 MiB at
    /// a multiple of that (`HEAP_MAX_SIZE`, glibc 2.36, malloc/arena.c).
    package static func laterHeaps(of process: pid_t) -> Int? {
        let size = 64 << 20
        let regions = text("/proc/\(process)/maps")?.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            let ends = fields[0].split(separator: "-").compactMap { Int($0, radix: 16) }
            return ends.count == 2 ? (start: ends[0], end: ends[1], access: fields[1]) : nil
        }
        return regions.map { regions in
            zip(regions, regions.dropFirst()).count { used, reserved in
                used.start % size == 0 && used.access == "rw-p" && reserved.access == "---p"
                    && reserved.start == used.end && reserved.end == used.start + size
            }
        }
    }

    /// The names of the process's threads.
    package static func threadNames(of process: pid_t) -> [String] {
        entries("/proc/\(process)/task").compactMap {
            text("/proc/\(process)/task/\($0)/comm").map { String($0.dropLast()) }
        }
    }

    private static func state(of process: pid_t) -> Substring? {
        // The name before `)` may contain any characters.
        text("/proc/\(process)/stat")?.split(separator: ")").last?.split(separator: " ").first
    }

    private static func entries(_ folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    private static func text(_ path: String) -> String? {
        (try? TestFile.read(path)).map { String(decoding: $0, as: UTF8.self) }
    }
}
