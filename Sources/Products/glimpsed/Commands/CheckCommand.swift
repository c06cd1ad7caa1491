// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Settings

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Read the configuration and all pipelines, and print every error.",
        discussion: """
            Examples:
              glimpsed check
              glimpsed check --config ./config.toml

            Exit status: 0 no error, 78 configuration error.
            """)

    @Option(
        help: ArgumentHelp("The daemon's configuration. Default: \(ConfigurationCheck.defaultFile).", valueName: "file")
    )
    var config: String?

    func run() throws {
        let check = ConfigurationCheck(file: config)
        for warning in check.warnings { say("warning: \(warning)") }
        for problem in check.problems { say(problem.description) }
        guard check.problems.isEmpty else {
            say("\(check.problems.count) \(check.problems.count == 1 ? "error" : "errors")")
            throw ExitCode.configurationError
        }
        let enabled = check.pipelines.filter(\.enabled)
        say("\(check.file): no errors; \(enabled.count) of \(check.pipelines.count) pipelines enabled")
        for pipeline in check.pipelines {
            say("  \(pipeline.name): \(pipeline.source.kind.name)\(pipeline.enabled ? "" : " (not enabled)")")
        }
    }
}
