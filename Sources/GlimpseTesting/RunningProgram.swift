import Foundation
import Synchronization

/// A program that a test started; killed at the end if it still runs.
package final class RunningProgram: Sendable {
    private let process: Process
    private let text = Output()

    private final class Output: Sendable {
        let text = Mutex("")
        let isClosed = Atomic(false)
    }

    /// - Parameter environment: on top of the test's own.
    package init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        self.process = process
        pipe.fileHandleForReading.readabilityHandler = { [text] handle in
            let data = handle.availableData
            if data.isEmpty {
                handle.readabilityHandler = nil
                text.isClosed.store(true, ordering: .releasing)
            }
            text.text.withLock { $0 += String(decoding: data, as: UTF8.self) }
        }
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    package var pid: Int32 { process.processIdentifier }
    /// What it has written so far, output and errors.
    package var output: String { text.text.withLock { $0 } }

    package func signal(_ number: Int32) { kill(pid, number) }

    /// Waits for the end of the program and of its output.
    ///
    /// - Returns: the exit status, or minus the signal that ended it; nil when it still runs at the deadline.
    package func exitStatus(within limit: Duration = .seconds(15)) async -> Int32? {
        guard await holds(within: limit, { !process.isRunning }) else { return nil }
        // A program started at the same moment may have inherited the pipe: then the end is not seen, but all has been written.
        _ = await holds(within: .seconds(1)) { text.isClosed.load(ordering: .acquiring) }
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }
}
