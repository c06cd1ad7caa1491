import ArgumentParser

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "How the daemon and its pipelines are.",
        discussion: """
            Examples:
              glimpsed status
              glimpsed status --json | jq '.pipelines[] | {name, state, last_error}'

            Exit status: 0, 1 when the daemon does not hear this user, 69 when there is no daemon.
            """)

    @OptionGroup var options: ControlOptions

    @Flag(help: "Print the daemon's answer, one line of JSON, on standard output.")
    var json = false

    func run() throws {
        let reply = try options.command(ControlRequestLine("status"))
        if json {
            try StandardOutput.write(reply.bytes + [UInt8(ascii: "\n")])
        } else {
            for line in StatusTable(reply: reply).lines { say(line) }
        }
    }
}
