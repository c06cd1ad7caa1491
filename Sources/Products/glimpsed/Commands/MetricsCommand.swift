// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import MetricsText

struct MetricsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics", abstract: "Print the metrics of the daemon and its pipelines for Prometheus.",
        discussion: """
            Examples:
              glimpsed metrics
              glimpsed metrics --format openmetrics
              glimpsed metrics > /var/lib/prometheus/node-exporter/glimpse.prom

            Exit status: 0 success, 1 the daemon rejects this user, 69 no daemon is running.
            """)

    @OptionGroup var options: ControlOptions

    @Option(help: "The text format: prometheus (0.0.4) or openmetrics (1.0).")
    var format = MetricsFormat.prometheus

    @OptionGroup var relayOptions: RelayOptions

    func run() throws {
        let request = ControlRequestLine("metrics", ["format": format.rawValue])
        guard let text = try options.command(request).text else {
            say("glimpsed: the daemon is of an older version, which has no metrics")
            throw ExitCode.failed
        }
        var metrics = MetricsText(continuing: Array(text.utf8), format)
        if let relay = relayOptions.relay { metrics.write(relay) }
        try StandardOutput.write(metrics.finish())
    }
}

extension MetricsFormat: ExpressibleByArgument {}
