// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Observations
import Testing

/// The table of `glimpsed history`, and its arguments for times.
@Suite struct HistoryCommandTests {
    private let bench = DaemonBench()

    /// A journal with two completed tracks and without a daemon.
    private func record() async throws {
        // The scripted worker reads no requests while it sends updates. It is killed after half of the limit.
        bench.configure(daemon: "stop_limit = \"200ms\"", retention: "events = [\"7d\", \"4MiB\"]")
        bench.write("door", "kind barcode; connect; tracks 2; updates 100000 5")
        let daemon = bench.run()
        _ = try await bench.subscribe().lines { $0.type == "update" && $0.track?.id == "2" }
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0, "\(daemon.errors)")
    }

    @Test func theHistoryCommandPrintsATableWithTimes() async throws {
        try await record()
        let table = bench.command("history")
        #expect(table.status == 0 && table.lines.count == 3 && table.errors.isEmpty, "\(table)")
        let titles = try #require(table.lines.first)
        #expect(titles.hasPrefix("LAST SEEN             PIPELINE  KIND     ID  SEEN FOR  END       WHAT"), "\(titles)")
        for row in table.lines.dropFirst() {
            let cells = row.split(separator: " ").map(String.init)
            #expect(cells[1...2] == ["door", "barcode"] && cells.suffix(2) == ["shutdown", "4006381333931"], "\(row)")
            #expect(cells[0].hasSuffix("Z") && cells[5] == "s", "\(row)")
        }
        #expect(bench.command("history", "--limit", "1").lines.count == 2)

        // (The scripted worker's tracks are of 1970.) A time is one and the same wherever it is read from a clock.
        let last = try #require(bench.command("history", "--json", "--limit", "1").lines.first)
        let seen = String(try #require(last.split(separator: #""last_seen":""#).last).prefix(30))
        func found(_ since: String) -> Int { bench.command("history", "--since", since, "--json").lines.count }
        let (clock, date) = (seen.dropLast(), seen.prefix(10))
        #expect(found(seen) >= 1 && found("\(clock)+00:00") >= 1 && found("\(clock)+01:30") == 2)
        #expect(found("\(clock)-01:30") == 0 && found("\(date)") == 2 && found("1d") == 0 && found("\(clock)") >= 1)
        let nothing = bench.command("history", "--since", "\(clock)-01:30")
        #expect(nothing.status == 2 && nothing.errors == "glimpsed: nothing found\n" && nothing.output.isEmpty)
    }

    @Test(arguments: [
        "yesterday", "5", "1w", "-5m", "+5m", "2026-02-31", "2026-13-01", "2026-11-20T25:00:00Z", "2026-11-20T08",
        "2026-11-20T08:00:00+24:00", "9999-01-01", "1677-01-01", "2026-11-20T08:00:00.Z", "2026-11-20Z ", "100000d",
    ]) func aTimeThatIsNotATimeIsRefused(text: String) {
        bench.configure()
        let result = bench.command("history", "--since=\(text)")
        #expect(
            result.status == 64 && result.errors.contains("\"\(text)\" is not a time; valid forms are"), "\(result)")
    }

    @Test func wrongArgumentsOfTheHistoryCommandAreErrors() {
        bench.configure()
        #expect(bench.command("history", "--since", "1h", "--until", "2h").status == 64)
        #expect(bench.command("history", "--limit", "0").status == 64)
        // The test must not read the history of the machine's own daemon.
        let nowhere = Program.run(Program.built("glimpsed"), ["history", "--config", "/nowhere/config.toml"])
        #expect(
            nowhere.status == 78 && nowhere.errors.contains("/nowhere/config.toml: there is no such file"), "\(nowhere)"
        )
        let status = Program.run(Program.built("glimpsed"), ["status", "--config", "/nowhere/config.toml"])
        #expect(status.status == 78, "\(status)")
    }
}
