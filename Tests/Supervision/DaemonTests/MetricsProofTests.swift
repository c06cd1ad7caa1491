// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

/// The metrics, the dashboard and the alert rules before Debian's Prometheus and the parsers of prometheus-client.
@Suite(
    .enabled(
        if: access("/usr/bin/promtool", X_OK) == 0
            && access("\(Checkout.root)/.deps/prometheus-client", R_OK) == 0
            || getenv("GLIMPSE_REQUIRE_PROMETHEUS") != nil,
        "needs scripts/setup.sh --metrics"))
struct MetricsProofTests {
    private let bench = DaemonBench()

    private func start() async throws {
        bench.configure(events: "journal_disk = \"16MiB\"")
        bench.scope.write(
            "pipelines/door.toml",
            """
            # script: connect
            # script: detector face yes
            # script: tracks 2
            # script: count 7
            # script: updates 100000 20
            [source]
            kind = "test"
            [face]
            [[zone]]
            name = "the \\"left\\" half\\\\ ä"
            polygon = [[0, 0], [0.5, 0], [0.5, 1]]
            [[line]]
            name = "gate"
            from = [0.5, 0]
            to = [0.5, 1]
            """)
        bench.run()
        let client = try await bench.subscribe()
        _ = try client.lines { $0.type == "update" }
    }

    private func run(_ command: String, within limit: Duration = patience) -> ProgramResult {
        let metrics = "\(Program.built("glimpsed")) metrics --config \(bench.scope.path("config.toml"))"
        return Program.run(
            "/bin/bash",
            ["-c", "set -o pipefail; cd \(Checkout.root); \(command.replacing("METRICS", with: metrics))"],
            within: limit)
    }

    @Test func promtoolFindsNothingInTheMetrics() async throws {
        try await start()
        let result = run("METRICS | promtool check metrics")
        #expect(result.status == 0 && result.lines.isEmpty && result.errors.isEmpty, "\(result)")
    }

    @Test(arguments: ["prometheus", "openmetrics"])
    func strictParsersTakeTheMetrics(format: String) async throws {
        try await start()
        let result = run("METRICS --format \(format) | scripts/metrics/strict.py \(format)")
        #expect(result.status == 0 && (result.lines.first.flatMap { Int($0) } ?? 0) > 100, "\(result)")
    }

    @Test func promtoolTestsEveryAlertRule() {
        let check = run("promtool check rules docs/prometheus/alerts.yml")
        #expect(check.status == 0, "\(check)")
        let test = run("cd docs/prometheus && promtool test rules alerts.test.yml", within: .seconds(120))
        #expect(test.status == 0, "\(test)")
        let alerts = run("grep -oP '(?<=- alert: ).*' docs/prometheus/alerts.yml | sort").lines
        let tested = run("grep -oP '(?<=alertname: ).*' docs/prometheus/alerts.test.yml | sort -u").lines
        #expect(alerts.count > 5 && alerts == tested)
    }

    @Test func prometheusAnswersEveryQueryOfDashboardAndRules() async throws {
        try await start()
        let result = run(
            "scripts/metrics/queries.py --glimpsed \(Program.built("glimpsed")) "
                + "--config \(bench.scope.path("config.toml"))",
            within: .seconds(180))
        #expect(result.status == 0, "\(result)")
    }
}
