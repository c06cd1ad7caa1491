import ArgumentParser

struct ReloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Have the daemon read its configuration again and apply what has changed.",
        discussion: """
            All of the new configuration is read and checked first. With any error in it the old one stays, all of it. \
            Pipelines that have not changed notice nothing.

            Examples:
              glimpsed reload --dry-run
              glimpsed reload

            Exit status: 0, 1 when the daemon does not hear this user, 69 when there is no daemon, 78 configuration error.
            """)

    @OptionGroup var options: ControlOptions

    @Flag(help: "Only say what would change.")
    var dryRun = false

    func run() throws {
        let reply = try options.ask(
            ControlRequestLine("reload") { json in
                if dryRun { json.member("dry_run", true) }
            })
        for problem in reply.problems ?? [] { say(problem.text) }
        if let error = reply.error {
            say("glimpsed: \(error)")
            throw reply.problems == nil ? ExitCode.failed : .configurationError
        }
        for line in Self.lines(reply) { say(line) }
    }

    static func lines(_ reply: ReplyLine) -> [String] {
        var lines: [String] = []
        for change in reply.changed ?? [] {
            let means = change.means == "same_worker" ? " (the worker stays)" : ""
            lines.append("changed   \(change.pipeline): \(change.keys.joined(separator: ", "))\(means)")
        }
        for name in reply.added ?? [] { lines.append("added     \(name)") }
        for name in reply.removed ?? [] { lines.append("removed   \(name)") }
        for key in reply.applied ?? [] { lines.append("applied   \(key)") }
        for key in reply.restart_needed ?? [] {
            lines.append("restart   \(key) stays as it is until the daemon is started again")
        }
        if lines.isEmpty { lines.append("nothing has changed") }
        if reply.dry_run == true { lines.append("nothing was done: this was a dry run") }
        return lines
    }
}
