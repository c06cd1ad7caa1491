import Glibc

/// What a process has now, as proc(5) tells it.
struct ProcessUse: Sendable, Equatable {
    /// Bytes of memory for itself alone, files that it maps not counted: resident less shared pages.
    var memory: Int
    var threads: Int

    init(memory: Int, threads: Int) {
        self.memory = memory
        self.threads = threads
    }

    /// nil when it is gone.
    init?(of process: pid_t) {
        guard let pages = Self.line("/proc/\(process)/statm")?.split(separator: " ").compactMap({ Int($0) }),
            pages.count > 2, pages[1] > 0,
            // The name before it may hold anything but its own end; num_threads is the 20th field, the state the third.
            let fields = Self.line("/proc/\(process)/stat")?.split(separator: ")").last?.split(separator: " "),
            fields.count > 17, let threads = Int(fields[17])
        else { return nil }
        memory = (pages[1] - pages[2]) * sysconf(Int32(_SC_PAGESIZE))
        self.threads = threads
    }

    private static func line(_ path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var text = [CChar](repeating: 0, count: 1024)
        guard fgets(&text, Int32(text.count), file) != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
