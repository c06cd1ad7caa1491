// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc

/// A worker whose standard output this process reads. The worker inherits standard error and receives the terminal's
/// signals.
final class WorkerPipe {
    /// The descriptor from which its lines are read.
    let output: Int32
    private let process: pid_t

    init(_ path: String, _ arguments: [String]) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw ExitCode.failed }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        let argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { argv.forEach { free($0) } }
        var process: pid_t = 0
        let status = posix_spawn(&process, path, &actions, nil, argv, environ)
        close(ends[1])
        guard status == 0 else {
            close(ends[0])
            say("glimpsed: cannot start \(path): \(String(cString: strerror(status)))")
            throw ExitCode.unavailable
        }
        output = ends[0]
        self.process = process
        // Ctrl-C reaches the worker too. The worker ends its tracks, and this process reads the lines to the end.
        signal(SIGINT, SIG_IGN)
    }

    /// Waits for the end of the worker. Returns its exit status, or 1 if a signal ended it.
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        close(output)
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 1
    }
}
