// SPDX-License-Identifier: Apache-2.0
import EventSocket
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Settings
import LogSupport
import UnixSocket
import Workers

/// `glimpsed run`: the daemon's parts on one event loop, from the start to an orderly end.
package struct Daemon: Sendable {
    private let configuration: Configuration
    private let file: String?
    private let pipelinesFolder: String
    private let server: String
    private let logger: Logger

    /// - Parameters:
    ///   - file: the path of the configuration as given by the user; nil for the default. A reload reads it again.
    ///   - server: the program name and version for `hello`.
    /// - Throws: `DaemonError.configuration` with every error.
    package init(_ check: ConfigurationCheck, file: String?, server: String, logger: Logger) throws(DaemonError) {
        configuration = try Configuration(check)
        self.file = file
        pipelinesFolder = check.pipelinesFolder
        self.server = server
        self.logger = logger
        for warning in check.warnings { logger.warning("\(warning)") }
    }

    /// Serves until SIGTERM or SIGINT. Then it ends every track, sends the subscribers their remaining events, and
    /// returns within `stop_limit`.
    ///
    /// - Throws: `DaemonError` if it cannot start.
    package func run() async throws {
        OpenFiles.raiseLimit()
        let ticks = LoopTicks()
        let threads = MultiThreadedEventLoopGroup(numberOfThreads: 1, metricsDelegate: ticks)
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        let service = DaemonService(eventLoop: threads.next(), launcher: makeLauncher) {
            try open(on: $0, ticks, $1)
        }
        // Signals are trapped before the service starts, so that every end from then on is orderly.
        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet))
        do {
            try await group.run()
        } catch {
            try? await threads.shutdownGracefully()
            throw error
        }
        try await threads.shutdownGracefully()
        logger.info("stopped", metadata: [LoggedEvent.key: "\(LoggedEvent.stopped.rawValue)"])
    }

    private func makeLauncher() throws -> WorkerLauncher {
        WorkerLauncher(executable: try findWorker(), logger: logger)
    }

    private func open(on loop: any EventLoop, _ ticks: LoopTicks, _ launcher: WorkerLauncher) throws -> DaemonParts {
        do throws(SocketError) {
            return try DaemonParts(
                configuration, file: file, launcher: launcher, server: server, eventLoop: loop, loopTicks: ticks,
                logger: logger)
        } catch {
            throw DaemonError.socket(error)
        }
    }

    /// Finds the worker program. Without pipelines the daemon logs advice and serves.
    private func findWorker() throws(DaemonError) -> String {
        do throws(WorkersError) {
            let executable = try WorkerExecutable.find()
            if configuration.pipelines.isEmpty {
                logger.notice(
                    "no pipeline to run in \(pipelinesFolder): set enabled = true in a file there, or add a NAME.toml with a [source] and a [face] or [barcode]; then reload"
                )
            }
            return executable
        } catch {
            throw .workers(error)
        }
    }
}
