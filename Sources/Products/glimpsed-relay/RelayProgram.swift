// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc
import Installation
import Relay
import Settings

@main
struct RelayProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "glimpsed-relay",
        abstract: "Hand the events of glimpsed to MQTT brokers and webhooks, at least once and in order.",
        discussion: """
            Examples:
              glimpsed-relay --check
              glimpsed-relay --config ./relay.toml

            Exit status: 0 success, 64 wrong usage, 78 configuration error.
            """,
        version: Version.text)

    @Option(help: ArgumentHelp("The relay's configuration.", valueName: "file"))
    var config = RelaySettings.defaultFile

    @Flag(help: "Read the configuration, print every error, and exit.")
    var check = false

    func run() throws {
        let log = RelayLog()
        let settings: RelaySettings
        do throws(ConfigurationErrors) {
            settings = try RelaySettings.load(file: config)
        } catch {
            for problem in error.errors { log.write(problem.description) }
            throw ExitCode(78)
        }
        if check {
            let count = settings.brokers.count + settings.webhooks.count
            log.write("\(config): no errors; \(count) \(count == 1 ? "destination" : "destinations")")
            return
        }
        Relay(settings, log: log).run()
    }
}
