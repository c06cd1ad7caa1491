// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

/// Reloads that a running real worker applies. Its tracks survive.
@Suite struct HotChangeTests {
    private let real = RealBench()
    private var bench: DaemonBench { real.bench }

    @Test func tracksSurviveHotChangesOfRatesRulesAndDetectors() async throws {
        real.write("door")
        let daemon = real.run()
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        var received = try client.lines { $0.type == "update" && $0.track?.id == "2" }
        let process = try PipelineStatus.all(in: try await bench.control().ask(#"{"status":true}"#)).first?.pid

        real.write("door", barcode: "max_rate = 5\neffort = \"fast\"\n[barcode.tracking]\nmax_gap = \"3s\"\n")
        let changed = bench.command("reload")
        #expect(
            changed.errors
                == "changed   door: barcode.effort, barcode.max_rate, barcode.tracking.max_gap (the worker stays)\n")
        // A new detector reports itself. Then frames come at the new rate.
        received += try client.lines { $0.type == "detector" }
        let slow = try client.lines { line in
            line.type == "update" && line.frame?.seq ?? 0 >= (received.compactMap(\.frame?.seq).max() ?? 0) + 30
        }
        let frames = slow.filter { $0.track?.id == "1" && $0.type == "update" }.compactMap(\.frame?.seq)
        // The source gives 15 frames a second, and the detector processes 5: one of each three. That may be any of the
        // three if the worker is busy.
        let span = Int((frames.last ?? 0) - (frames.first ?? 0))
        #expect(frames.count > 3 && frames.count <= span / 3 + 2, "\(frames)")
        #expect(!(received + slow).contains { $0.type == "completed" || $0.frame?.epoch == 2 })
        #expect(slow.filter { $0.type == "update" }.allSatisfy { ["1", "2"].contains($0.track?.id) })
        let now = try PipelineStatus.all(in: try await bench.control().ask(#"{"status":true}"#)).first
        #expect(now?.pid == process && now?.epoch == 1)

        // A track in view enters a new zone, and leaves the zone when the zone is removed.
        let zone = "[[zone]]\nname = \"all\"\npolygon = [[0, 0], [1, 0], [1, 1], [0, 1]]\n"
        real.write("door", barcode: "max_rate = 5\neffort = \"fast\"\n[barcode.tracking]\nmax_gap = \"3s\"\n\(zone)")
        #expect(bench.command("reload").errors == "changed   door: zone (the worker stays)\n")
        received += slow
        received += try client.lines { $0.type == "zone" && $0.state == "entered" }
        real.write("door", barcode: "max_rate = 5\neffort = \"fast\"\n[barcode.tracking]\nmax_gap = \"3s\"\n")
        #expect(bench.command("reload").errors == "changed   door: zone (the worker stays)\n")
        received += try client.lines { $0.type == "zone" && $0.state == "left" }
        #expect(received.last?.zone == "all" && received.last?.dwell_ms ?? 0 > 0)

        // A change that no running worker can apply ends its tracks.
        real.write("door", barcode: "parse_values = false\n")
        #expect(bench.command("reload").errors.contains("(the worker stays)") == false)
        received += try client.lines { $0.type == "update" && $0.frame?.epoch == 2 }
        #expect(received.filter { $0.type == "completed" }.map(\.reason) == ["reload", "reload"])
        // A worker that dies restarts with the applied changes.
        daemon.send(SIGTERM)
        received += try client.rest()
        #expect(violation(in: received.map { Array($0.text.utf8) }) == nil)
    }
}
