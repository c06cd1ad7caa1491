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

    /// Has a process take less of the processors than this one, with all the threads that it will start: for right after the start.
    ///
    /// - Parameter step: 0...19.
    /// - Returns: why it is not, in words; nil when it is.
    static func makeNicer(_ pid: pid_t, by step: Int) -> String? {
        guard step > 0 else { return nil }
        let which = __priority_which_t(PRIO_PROCESS.rawValue)
        let isNicer = setpriority(which, id_t(pid), min(19, getpriority(which, 0) + CInt(step))) == 0
        return isNicer ? nil : String(cString: strerror(errno))
    }

    /// Signals the process and what it started itself.
    func signal(_ number: CInt) {
        kill(-pid, number)
    }
}
