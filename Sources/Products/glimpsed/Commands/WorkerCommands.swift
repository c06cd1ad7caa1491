// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc
import Workers

/// Commands of the worker executable. This process becomes the worker, which parses the arguments and prints the help.
protocol WorkerCommand: ParsableCommand {
    var arguments: [String] { get }
}

extension WorkerCommand {
    func run() throws {
        try WorkerProcess.become([Self._commandName] + arguments)
    }
}

struct PipelineCommand: WorkerCommand {
    static let configuration = CommandConfiguration(
        commandName: "pipeline", abstract: "Run one pipeline in the foreground and write its events to standard output."
    )

    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

struct DetectCommand: WorkerCommand {
    static let configuration = CommandConfiguration(
        commandName: "detect", abstract: "Detect features in single images and print one line of JSON for each image.")

    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

struct IndexCommand: WorkerCommand {
    static let configuration = CommandConfiguration(
        commandName: "index", abstract: "Build an index of reference pictures for a live search.")

    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

struct DetectorTestCommand: WorkerCommand {
    static let configuration = CommandConfiguration(
        commandName: "detector-test", abstract: "Test a detector that is a program.")

    @Argument(parsing: .captureForPassthrough) var arguments: [String] = []
}

/// Starts the worker executable in place of this process, or finds its path.
enum WorkerProcess {
    /// Replaces this process with the worker. Returns only by throwing.
    static func become(_ arguments: [String]) throws {
        let worker = try path()
        var argv: [UnsafeMutablePointer<CChar>?] = ([worker] + arguments).map { strdup($0) } + [nil]
        execv(worker, &argv)
        say("glimpsed: cannot start \(worker): \(String(cString: strerror(errno)))")
        throw ExitCode.unavailable
    }

    static func path() throws -> String {
        do {
            return try WorkerExecutable.find()
        } catch {
            say("glimpsed: \(error)")
            throw ExitCode.unavailable
        }
    }
}

/// Writes a line for people to standard error.
func say(_ text: String) {
    var errors = StandardError()
    print(text, to: &errors)
}
