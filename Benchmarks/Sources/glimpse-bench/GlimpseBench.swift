// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// Measurements of the release build, as ratios taken in one run: two cores and noisy neighbours allow no absolute
/// claim.
@main
struct GlimpseBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "glimpse-bench", abstract: "Measures what glimpsed costs.",
        subcommands: [
            PipelineBenchmark.self, TrackerBenchmark.self, EncoderBenchmark.self, MOTReplay.self,
        ],
        defaultSubcommand: PipelineBenchmark.self)
}
