// SPDX-License-Identifier: Apache-2.0
import CProcess
import Glibc
import Settings
import UnixSocket

/// The running relay: all destinations, until SIGTERM or SIGINT.
package struct Relay {
    private typealias Work = @Sendable (Destination) -> Void

    private let settings: RelaySettings
    private let destinations: [(destination: Destination, work: Work)]
    private let log: RelayLog

    package init(_ settings: RelaySettings, log: RelayLog) {
        let context = Destination.Context(
            events: settings.events, daemonControl: settings.daemonControl, stateDirectory: settings.stateDirectory,
            box: settings.box.isEmpty ? Self.hostName : settings.box, log: log)
        self.settings = settings
        func destination(_ kind: String, _ settings: some DestinationSettings) -> Destination {
            Destination(settings.name, kind: kind, EventSelection(settings), context)
        }
        let brokers = settings.brokers.map { broker -> (Destination, Work) in
            (destination("mqtt", broker), { MQTTDelivery(broker, $0).run() })
        }
        let webhooks = settings.webhooks.map { webhook -> (Destination, Work) in
            (destination("webhook", webhook), { WebhookDelivery(webhook, $0).run() })
        }
        destinations = brokers + webhooks
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
        let status = serveStatus()
        glimpse_drop_code_pages()
        for (destination, work) in destinations { destination.start(work) }
        log(.notice, "started with \(destinations.count) \(destinations.count == 1 ? "destination" : "destinations")")
        var received: Int32 = 0
        sigwait(&signals, &received)
        for (destination, _) in destinations { destination.stop() }
        for (destination, _) in destinations { destination.wait(.seconds(5)) }
        status?.close()
    }

    /// A relay whose state nobody can read still delivers.
    private func serveStatus() -> StatusSocket? {
        do throws(SocketError) {
            return try StatusSocket(settings.control, events: settings.events, destinations.map(\.destination))
        } catch {
            log(.warning, "no status: \(error)")
            return nil
        }
    }

    private static var hostName: String {
        var buffer = [CChar](repeating: 0, count: 256)
        gethostname(&buffer, buffer.count - 1)
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
