// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// Measures the results and the cost of the networks on the product's own path. Release build: `make build`, then
/// `.build/release/inference-bench`.
@main
struct InferenceBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inference-bench",
        abstract: "Measures the networks of the catalogue, the index of pictures that they make, masks, and sources.",
        subcommands: [
            CostBenchmark.self, DetectionDump.self, IndexBenchmark.self, MaskBenchmark.self, PlaneDump.self,
            ProgramBenchmark.self, SourceStarts.self, StartBenchmark.self,
        ])
}
