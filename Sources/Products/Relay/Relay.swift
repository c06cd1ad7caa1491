import Glibc
import Settings

/// The running relay: all destinations, until SIGTERM or SIGINT.
package struct Relay {
    private let destinations: [MQTTDestination]
    private let log: RelayLog

    package init(_ settings: RelaySettings, log: RelayLog) {
        let context = MQTTDestination.Context(
            events: settings.events, stateDirectory: settings.stateDirectory,
            box: settings.box.isEmpty ? Self.hostName : settings.box, log: log)
        destinations = settings.brokers.map { MQTTDestination($0, context) }
        self.log = log
    }

    /// Blocks the calling thread, which must be the only one of the process, so that all threads inherit its signal
    /// mask.
    package func run() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGINT)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)
        MQTTConnection.setUp()
        for destination in destinations { destination.start() }
        log(.notice, "started with \(destinations.count) \(destinations.count == 1 ? "destination" : "destinations")")
        var received: Int32 = 0
        sigwait(&signals, &received)
        for destination in destinations { destination.stop() }
        for destination in destinations { destination.wait(.seconds(5)) }
    }

    private static var hostName: String {
        var buffer = [CChar](repeating: 0, count: 256)
        gethostname(&buffer, buffer.count - 1)
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
