import CProcess
import Glibc

/// A child process whose standard input, output and error are pipes to us, and that inherits nothing else.
struct ChildProcess: Sendable {
    let pid: pid_t
    /// Our ends, closed on exec. The caller owns them.
    let input: CInt
    let output: CInt
    let errors: CInt

    /// Starts `path` in a process group of its own, so that a terminal's Ctrl-C is ours to pass on.
    ///
    /// - Throws: `WorkersError`.
    static func spawn(_ path: String, arguments: [String]) throws(WorkersError) -> ChildProcess {
        let pointers = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var child = glimpse_child()
        let code = glimpse_spawn(path, pointers, &child)
        guard code == 0 else { throw WorkersError("cannot start \(path): \(String(cString: strerror(code)))") }
        return ChildProcess(pid: child.pid, input: child.input, output: child.output, errors: child.errors)
    }

    /// Bytes of memory that the process has for itself alone, files that it maps not counted: resident less shared pages of proc(5)'s
    /// statm. nil when it is gone.
    var memory: Int? {
        guard let file = fopen("/proc/\(pid)/statm", "re") else { return nil }
        defer { fclose(file) }
        var text = [CChar](repeating: 0, count: 128)
        guard fgets(&text, Int32(text.count), file) != nil else { return nil }
        let pages = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .split(separator: " ").compactMap { Int($0) }
        guard pages.count > 2, pages[1] > 0 else { return nil }
        return (pages[1] - pages[2]) * sysconf(Int32(_SC_PAGESIZE))
    }

    /// Signals the process and what it started itself.
    func signal(_ number: CInt) {
        kill(-pid, number)
    }
}
