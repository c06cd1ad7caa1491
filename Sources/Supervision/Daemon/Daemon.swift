import CProcess
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
    ///   - file: the configuration's, as it was given; nil for the default. Read again at a reload.
    ///   - server: name and version, as `hello` gives it.
    /// - Throws: `DaemonError.configuration` with every problem.
    package init(_ check: ConfigurationCheck, file: String?, server: String, logger: Logger) throws(DaemonError) {
        configuration = try Configuration(check)
        self.file = file
        pipelinesFolder = check.pipelinesFolder
        self.server = server
        self.logger = logger
    }

    /// Serves until SIGTERM or SIGINT, then ends every track, gives the subscribers what is left, and returns within `stop_limit`.
    ///
    /// - Throws: `DaemonError` when it cannot start.
    package func run() async throws {
        OpenFiles.raiseLimit()
        // One heap for all threads, which hardly meet there: another thread's grows by a page and a system call at a time.
        glimpse_limit_malloc_arenas(1)
        let threads = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        let service = DaemonService(eventLoop: threads.next(), open: open)
        // Signals are trapped before the service starts: from the first moment on, an end is an orderly one.
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

    private func open(on loop: any EventLoop) throws -> DaemonParts {
        let executable = try findWorker()
        do throws(SocketError) {
            return try DaemonParts(
                configuration, file: file, executable: executable, server: server, eventLoop: loop, logger: logger)
        } catch {
            throw DaemonError.socket(error)
        }
    }

    /// Without pipelines there is nothing to run yet, and the daemon says what to do and serves.
    private func findWorker() throws(DaemonError) -> String {
        do throws(WorkersError) {
            let executable = try WorkerExecutable.find()
            if configuration.pipelines.isEmpty {
                logger.notice(
                    "no pipelines in \(pipelinesFolder): put a NAME.toml with a [source] and a [face] or [barcode] there, and reload"
                )
            }
            return executable
        } catch {
            throw .workers(error)
        }
    }
}
