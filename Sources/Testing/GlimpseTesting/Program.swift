// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The result of a program that has ended.
package struct ProgramResult: Sendable, CustomStringConvertible {
    /// The exit status, or 128 plus the number of the signal that ended it, as in a shell.
    package let status: Int
    package let output: [UInt8]
    package let errors: String
    /// Whether it was killed because its time was up.
    package let isOverdue: Bool

    package var lines: [String] {
        String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    package var description: String {
        "status \(status)\(isOverdue ? ", killed: time was up" : "")\n\(String(decoding: output.prefix(4000), as: UTF8.self))\n\(errors)"
    }
}

/// Runs programs with a deadline.
package enum Program {
    /// The path of an executable of this package, which lies beside the test runner.
    package static func built(_ name: String) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let length = max(0, readlink("/proc/self/exe", &buffer, Int(PATH_MAX)))
        let runner = String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let beside = "\(runner.prefix(upTo: runner.lastIndex(of: "/") ?? runner.startIndex))/\(name)"
        return access(beside, X_OK) == 0 ? beside : "\(Checkout.root)/.build/debug/\(name)"
    }

    /// - Parameters:
    ///   - path: searched in `PATH` if it contains no slash.
    ///   - environment: changes to this process's environment; an empty value removes a variable.
    ///   - input: the text on standard input.
    package static func run(
        _ path: String, _ arguments: [String] = [], environment: [String: String] = [:], input: String = "",
        within limit: Duration = patience
    ) -> ProgramResult {
        let scope = TestScope()
        let program = RunningProgram(path, arguments, environment: environment, input: input, scope: scope)
        return program.finish(within: limit)
    }
}

/// A program in its own process group. It ends with this object at the latest.
package final class RunningProgram {
    package let process: pid_t
    private let scope: TestScope
    private var status: Int?

    package init(
        _ path: String, _ arguments: [String] = [], environment: [String: String] = [:], input: String = "",
        scope: TestScope = TestScope()
    ) {
        self.scope = scope
        scope.write("in", input)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, 0, scope.path("in"), O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, scope.path("out"), O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        posix_spawn_file_actions_addopen(&actions, 2, scope.path("err"), O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        // The threads of Dispatch and of Swift's tasks block SIGTERM, and a program inherits the mask of its starter.
        var unblocked = sigset_t()
        sigemptyset(&unblocked)
        posix_spawnattr_setsigmask(&attributes, &unblocked)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        var process = pid_t()
        let status = Self.withCStrings([path] + arguments) { arguments in
            Self.withCStrings(Self.variables(environment)) {
                posix_spawnp(&process, path, &actions, &attributes, arguments, $0)
            }
        }
        guard status == 0 else { fatalError("cannot run \(path): \(String(cString: strerror(status)))") }
        self.process = process
    }

    deinit {
        if status == nil { _ = finish(within: .zero) }
    }

    package func send(_ signal: Int32) { kill(process, signal) }

    /// Standard output so far.
    package var output: [UInt8] { Self.bytes(of: scope.path("out")) }
    package var errors: String { String(decoding: Self.bytes(of: scope.path("err")), as: UTF8.self) }

    /// Waits for its end, and kills it when the time is up.
    package func finish(within limit: Duration = patience) -> ProgramResult {
        let deadline = ContinuousClock.now + limit
        var isOverdue = false
        var code: Int32 = 0
        while status == nil {
            if waitpid(process, &code, WNOHANG) == process {
                status = Int(code & 0x7f == 0 ? (code >> 8) & 0xff : 128 + (code & 0x7f))
            } else if ContinuousClock.now >= deadline {
                isOverdue = true
                kill(-process, SIGKILL)
                waitpid(process, &code, 0)
                status = 128 + Int(SIGKILL)
            } else {
                usleep(2000)
            }
        }
        return ProgramResult(status: status ?? 0, output: output, errors: errors, isOverdue: isOverdue)
    }

    private static func variables(_ changes: [String: String]) -> [String] {
        var all: [String] = []
        var entry = environ
        while let variable = entry.pointee {
            let text = String(cString: variable)
            if changes[String(text.prefix { $0 != "=" })] == nil { all.append(text) }
            entry += 1
        }
        return all + changes.filter { !$0.value.isEmpty }.map { "\($0.key)=\($0.value)" }
    }

    private static func withCStrings<Result>(
        _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var copies = texts.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return copies.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { fatalError("a list with an end is never empty") }
            return body(base)
        }
    }

    private static func bytes(of path: String) -> [UInt8] { (try? TestFile.read(path)) ?? [] }
}
