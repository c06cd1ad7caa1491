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
        let configuration = ConfigurationCheck(file: config)
        LoggingSystem.bootstrap { _ in StandardErrorLog(configuration.daemon.daemon) }
        do {
            let daemon = try Daemon(
                configuration, file: config, server: "glimpsed \(Version.text)", logger: Logger(label: "glimpsed"))
            try await daemon.run()
        } catch let error as DaemonError {
            var errors = StandardError()
            print(error, to: &errors)
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
