// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The option `--set key=value`, which may be repeated.
struct Overrides: ParsableArguments {
    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("Set one key of the configuration. May be repeated.", valueName: "key=value"))
    var assignments: [String] = []

    func validate() throws {
        for assignment in assignments where !assignment.contains("=") {
            throw ValidationError("--set requires key=value, such as --set face.min_size=0.2, not \"\(assignment)\"")
        }
    }

    var pairs: [(key: String, value: String)] {
        assignments.map { assignment in
            let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (key: String(parts[0]), value: String(parts[1]))
        }
    }
}
