// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc

/// The cost of a finished process, as the kernel accounts it.
struct MeasuredProcess {
    var cpuSeconds: Double
    var wallSeconds: Double
    var peakMiB: Double
    /// Seconds from the start to the first line of output that `marks` accepts; nil without such a line.
    var firstMark: Double?
    var output: [String]

    /// Runs a program to its end.
    ///
    /// - Parameter marks: which line of output stops the clock for `firstMark`.
    init(_ path: String, _ arguments: [String], marks: (String) -> Bool = { _ in false }) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw ValidationError("no pipe: \(String(cString: strerror(errno)))") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        let argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { argv.forEach { free($0) } }
        let start = ContinuousClock.now
        var process: pid_t = 0
        let status = posix_spawnp(&process, path, &actions, nil, argv, environ)
        close(ends[1])
        guard status == 0 else { throw ValidationError("cannot run \(path): \(String(cString: strerror(status)))") }
        var lines: [String] = []
        var firstMark: Double?
        if let stream = fdopen(ends[0], "r") {
            var line: UnsafeMutablePointer<CChar>?
            var capacity = 0
            while getline(&line, &capacity, stream) > 0, let line {
                let text = String(cString: line)
                if firstMark == nil, marks(text) { firstMark = (ContinuousClock.now - start) / .seconds(1) }
                lines.append(text)
            }
            free(line)
            fclose(stream)
        }
        var code: Int32 = 0
        var usage = rusage()
        while wait4(process, &code, 0, &usage) < 0, errno == EINTR {}
        guard code == 0 else { throw ValidationError("\(path) failed with status \(code >> 8 & 0xFF)") }
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        cpuSeconds = seconds(usage.ru_utime) + seconds(usage.ru_stime)
        wallSeconds = (ContinuousClock.now - start) / .seconds(1)
        peakMiB = Double(usage.ru_maxrss) / 1024
        self.firstMark = firstMark
        output = lines
    }
}

/// The middle one of several measurements.
func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
}
