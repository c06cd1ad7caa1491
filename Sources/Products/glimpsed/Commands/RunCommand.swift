// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Daemon
import Installation
import Logging
import Settings

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the daemon: one worker process for each pipeline, and a Unix socket for their events.",
        discussion: """
            The daemon runs until SIGTERM or SIGINT. Then every live track ends with reason "shutdown".

            Examples:
              glimpsed run
              glimpsed run --config ./config.toml

            Exit status: 0 stopped by a signal, 1 failure, 69 glimpsed-worker is not installed, 78 configuration error.
            """)

    @Option(
        help: ArgumentHelp(
            "The daemon's configuration. Default: \(ConfigurationCheck.defaultFile). Without that file: the defaults, and the pipelines/ folder in its directory.",
            valueName: "file"))
    var config: String?

    func run() async throws {
        let config = config.map(FilePath.absolute)
        let configuration = ConfigurationCheck(file: config)
        let log = DaemonLog.make(configuration.daemon.daemon)
        LoggingSystem.bootstrap { _ in log }
        let logger = Logger(label: "glimpsed")
        do {
            let daemon = try Daemon(
                configuration, file: config, server: "glimpsed \(Version.text)", logger: logger)
            try await daemon.run()
        } catch let error as DaemonError {
            if log is JournalLog {
                for line in error.description.split(separator: "\n") { logger.error("\(line)") }
            } else {
                var errors = StandardError()
                print(error, to: &errors)
            }
            if case .configuration = error {
                WaitingPeers.refuse("the daemon does not start: its configuration has an error; see its log")
            }
            throw error.exitCode
        }
    }
}

extension DaemonError {
    fileprivate var exitCode: ExitCode {
        switch self {
        case .configuration: .configurationError
        case .socket: .failed
        case .workers: .unavailable
        }
    }
}
