// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

/// The relay in `glimpsed status` and `glimpsed metrics`.
@Suite struct StatusTests {
    private let bench = RelayBench()

    /// The row of `glimpsed status` about the destination; nil without a relay.
    private func row() -> String? { bench.ask("status").first { $0.hasPrefix("  home (mqtt): ") } }

    private func metric(_ name: String) -> Int? {
        bench.ask("metrics").first { $0.hasPrefix("\(name){destination=\"home\"} ") }
            .flatMap { Int($0.split(separator: " ").last ?? "") }
    }

    @Test func statusShowsTheRelayWithoutAndWithItsBroker() async throws {
        bench.write("door", "connect; tracks 2; updates 1000000 10")
        bench.configure(
            #"types = ["detected", "update"]"# + "\nupdate_hz = 1000\nstart = \"oldest\"\nreplay_rate = 0")
        bench.runDaemon()
        #expect(await holds { !bench.ask("status").isEmpty })
        #expect(!bench.ask("status").contains("relay") && metric("glimpse_relay_connected") == nil)

        bench.runRelay()
        // More than the relay's own queues hold: the rest is in the daemon's journal.
        #expect(await holds { (metric("glimpse_relay_unacknowledged") ?? 0) > 1000 }, "\(bench.relay?.errors ?? "")")
        #expect(metric("glimpse_relay_connected") == 0 && metric("glimpse_relay_sent_total") == 0)
        let lines = bench.ask("status")
        #expect(lines.contains("relay") && row()?.hasPrefix("  home (mqtt): not connected, 0 sent, ") == true)
        #expect(lines.contains("    last error: mqtt://127.0.0.1:\(bench.port): Connection refused"), "\(lines)")

        await bench.runBroker()
        let address = "mqtt://127.0.0.1:\(bench.port)"
        #expect(
            await holds {
                row()?.hasPrefix("  home (mqtt): connected to \(address), ") == true
                    && row()?.contains("delivered to event ") == true
                    && (metric("glimpse_relay_sent_total") ?? 0) > 1000
                    && (metric("glimpse_relay_unacknowledged") ?? 1000) < 500
            }, "\(bench.ask("status"))")
        #expect(metric("glimpse_relay_connected") == 1 && !bench.ask("status").contains { $0.contains("last error") })

        bench.relay?.send(SIGTERM)
        #expect(bench.relay?.finish().status == 0)
        #expect(!bench.ask("status").contains("relay"))
    }

    /// A path that cannot be served costs one warning.
    @Test func aRelayDeliversAlsoWithoutItsSocket() async throws {
        bench.write("door", "connect; tracks 1")
        bench.configure("start = \"oldest\"")
        bench.scope.write("r.sock", "in the way")
        await bench.runBroker()
        bench.runDaemon()
        bench.runRelay()
        #expect(await holds { bench.retained()["glimpse/hall/door/face/count"] == "1" }, "\(bench.relay?.errors ?? "")")
        #expect(bench.relay?.errors.contains("no status: cannot serve") == true)
    }
}
