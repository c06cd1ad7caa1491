// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the state of the daemon, its pipelines and its relay.",
        discussion: """
            Examples:
              glimpsed status
              glimpsed status --json | jq '.pipelines[] | {name, state, last_error}'

            Exit status: 0 success, 1 the daemon rejects this user, 69 no daemon is running.
            """)

    @OptionGroup var options: ControlOptions

    @OptionGroup var relayOptions: RelayOptions

    @Flag(help: "Print the daemon's reply as one line of JSON, without the relay.")
    var json = false

    func run() throws {
        let reply = try options.command(ControlRequestLine("status"))
        if json {
            try StandardOutput.write(reply.bytes + [UInt8(ascii: "\n")])
        } else {
            for line in StatusTable(reply: reply).lines { say(line) }
            if let relay = relayOptions.relay { for line in [""] + RelayTable(relay: relay).lines { say(line) } }
        }
    }
}
