// SPDX-License-Identifier: Apache-2.0
import Glibc
import MetricsText

/// The resource use of this process, from proc(5), for the metrics `process_*`.
struct OwnProcess: Sendable {
    /// In microseconds.
    private var processorTime: UInt64
    private var residentBytes: UInt64
    private var virtualBytes: UInt64
    private var openFiles: Int?
    private var mostFiles: UInt64?
    /// In microseconds since the Unix epoch.
    private var start: UInt64

    /// nil if the kernel does not report it.
    init?() {
        // The name before `)` may contain any characters. The state is field 3. utime, stime, starttime, vsize and rss
        // are fields 14, 15, 22, 23 and 24.
        guard let fields = Self.text("/proc/self/stat")?.split(separator: ")").last?.split(separator: " "),
            fields.count > 21, let user = UInt64(fields[11]), let system = UInt64(fields[12]),
            let started = UInt64(fields[19]), let size = UInt64(fields[20]), let pages = UInt64(fields[21]),
            let boot = Self.bootTime
        else { return nil }
        let tick = 1_000_000 / UInt64(sysconf(Int32(_SC_CLK_TCK)))
        processorTime = (user + system) * tick
        virtualBytes = size
        residentBytes = pages * UInt64(sysconf(Int32(_SC_PAGESIZE)))
        start = boot + started * tick
        openFiles = Self.openFiles
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 { mostFiles = UInt64(limit.rlim_cur) }
    }

    func write(to text: inout MetricsText) {
        text.family(.processCPU) { $0.sample(is: .microseconds(processorTime)) }
        text.family(.processResident) { $0.sample(is: residentBytes) }
        text.family(.processVirtual) { $0.sample(is: virtualBytes) }
        if let openFiles { text.family(.processFiles) { $0.sample(is: openFiles) } }
        if let mostFiles { text.family(.processMostFiles) { $0.sample(is: mostFiles) } }
        text.family(.processStart) { $0.sample(is: .microseconds(start)) }
    }

    /// The start of the system in microseconds since the Unix epoch, from its age.
    private static let bootTime: UInt64? = {
        var (now, age) = (timespec(), timespec())
        guard clock_gettime(CLOCK_REALTIME, &now) == 0, clock_gettime(CLOCK_BOOTTIME, &age) == 0 else { return nil }
        let seconds = (now.tv_sec - age.tv_sec) * 1_000_000 + (now.tv_nsec - age.tv_nsec) / 1000
        return UInt64(exactly: seconds)
    }()

    private static var openFiles: Int? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        // `.`, `..` and the folder's own descriptor.
        var count = -3
        while readdir(folder) != nil { count += 1 }
        return max(0, count)
    }

    private static func text(_ path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var text = [CChar](repeating: 0, count: 1024)
        guard fgets(&text, Int32(text.count), file) != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
