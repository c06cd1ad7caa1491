import ArgumentParser
import Daemon
import Logging
import Settings

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "The daemon: runs a worker for each pipeline and serves their events on a Unix socket.",
        discussion: """
            Runs until SIGTERM or SIGINT; then every live track ends with reason "shutdown".

            Examples:
              glimpsed run
              glimpsed run --config ./config.toml

            Exit status: 0 stopped as asked, 1 failed, 69 glimpsed-worker is not installed, 78 configuration error.
            """)

    @Option(
        help: ArgumentHelp(
            "The daemon's configuration. Default: \(ConfigurationCheck.defaultFile) if it is there, else the defaults and pipelines/ beside it.",
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
                WaitingPeers.refuse("the daemon has an error in its configuration, and does not start: see its log")
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
