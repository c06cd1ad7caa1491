// SPDX-License-Identifier: Apache-2.0
import CProcess
import Glibc

/// A child process whose standard input, output and error are pipes to this process. It inherits no other descriptors.
struct ChildProcess: Sendable {
    let pid: pid_t
    /// This process's ends of the pipes, closed on exec. The caller owns them.
    let input: CInt
    let output: CInt
    let errors: CInt
    /// Takes descriptors of viewers.
    let viewers: CInt

    /// The memory in bytes that it shared with its zygote at its start.
    let inherited: Int

    init(_ child: glimpse_child, inherited: Int = 0) {
        (pid, input, output, errors, viewers) = (child.pid, child.input, child.output, child.errors, child.viewers)
        self.inherited = inherited
    }

    /// Starts `path` in its own process group, so that a terminal's Ctrl-C reaches only the supervisor, which passes
    /// the request on.
    ///
    /// - Throws: `WorkersError`.
    static func spawn(_ path: String, arguments: [String]) throws(WorkersError) -> ChildProcess {
        var child = glimpse_child()
        let code = withArguments(path, arguments) { glimpse_spawn(path, $0, &child) }
        guard code == 0 else { throw WorkersError("cannot start \(path): \(String(cString: strerror(code)))") }
        return ChildProcess(child)
    }

    /// Calls `body` with the arguments of a program in the form of `execve`.
    static func withArguments<Result>(
        _ path: String, _ arguments: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers)
    }

    /// Raises the niceness of a process over this process's niceness. It must be called right after the start, so that
    /// all later threads inherit it.
    ///
    /// - Parameter step: 0...19.
    /// - Returns: a description of the error; nil on success.
    static func makeNicer(_ pid: pid_t, by step: Int) -> String? {
        guard step > 0 else { return nil }
        let which = __priority_which_t(PRIO_PROCESS.rawValue)
        let isNicer = setpriority(which, id_t(pid), min(19, getpriority(which, 0) + CInt(step))) == 0
        return isNicer ? nil : String(cString: strerror(errno))
    }

    /// Signals the process and its own children.
    func signal(_ number: CInt) {
        kill(-pid, number)
    }
}
