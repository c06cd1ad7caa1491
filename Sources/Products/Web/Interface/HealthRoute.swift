// SPDX-License-Identifier: Apache-2.0
import struct GlimpseClient.ControlClient
import Hummingbird
import JSONLines
import MetricsText

/// `GET /api/health`: what the daemon's status does not say: the page's own version, its connection, and the relay.
struct HealthRoute: Sendable {
    /// The program and its version.
    let server: String
    let watch: EventSocketWatch
    var relay = ControlClient(path: RelayState.defaultSocket, patience: .seconds(1))

    func respond() async -> Response {
        // The line is checked, because it stands in the answer as it is.
        let line = await relay.greeting().flatMap { RelayState(line: $0) == nil ? nil : $0 }
        let isConnected = watch.isConnected
        var json = JSONWriter()
        json.object { json in
            json.member("server", server)
            json.member("connected", isConnected)
            guard let line else { return }
            json.key("relay")
            json.element(raw: line)
        }
        return .json(json.bytes)
    }
}
