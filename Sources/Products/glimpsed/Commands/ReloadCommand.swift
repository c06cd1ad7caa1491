// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct ReloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Make the daemon read its configuration again and apply the changes.",
        discussion: """
            The daemon first checks the whole new configuration. If it has any error, the old configuration stays in force. \
            Unchanged pipelines keep running without interruption.

            Examples:
              glimpsed reload --dry-run
              glimpsed reload

            Exit status: 0 success, 1 the daemon rejects this user, 69 no daemon is running, 78 configuration error.
            """)

    @OptionGroup var options: ControlOptions

    @Flag(help: "Print the changes without applying them.")
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
            lines.append("restart   \(key) takes effect when the daemon is restarted")
        }
        if lines.isEmpty { lines.append("nothing has changed") }
        if reply.dry_run == true { lines.append("dry run: no change was applied") }
        return lines
    }
}
