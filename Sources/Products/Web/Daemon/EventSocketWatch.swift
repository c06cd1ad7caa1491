// SPDX-License-Identifier: Apache-2.0
import GlimpseClient
import Synchronization

/// Whether the daemon's event socket is connected, for `/healthz`.
final class EventSocketWatch: Sendable {
    private let connected = Mutex(false)

    var isConnected: Bool { connected.withLock { $0 } }

    /// Subscribes until the task is cancelled. The subscription is no demand.
    func run(socket: String) async {
        let filter = Filter(types: ["config"], passive: true)
        while !Task.isCancelled {
            for await event in Subscription(socket: socket, filter: filter) {
                switch event.content {
                case .hello: connected.withLock { $0 = true }
                case .disconnected, .refused: connected.withLock { $0 = false }
                default: break
                }
            }
            connected.withLock { $0 = false }
            try? await Task.sleep(for: .seconds(5))
        }
    }
}
