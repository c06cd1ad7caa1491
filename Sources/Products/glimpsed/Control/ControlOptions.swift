// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Settings

/// The options that select a daemon.
struct ControlOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The control socket. Default: control.socket of the configuration.", valueName: "path"))
    var socket: String?

    @Option(
        help: ArgumentHelp("The daemon's configuration. Default: \(ConfigurationCheck.defaultFile).", valueName: "file")
    )
    var config: String?

    /// Sends a request and waits for its reply.
    ///
    /// - Throws: exit status 69 when no daemon answers, 1 when it rejects this user; the reason is on standard error.
    func ask(_ request: ControlRequestLine) throws -> ReplyLine {
        let path = try socket ?? daemonSettings(config).control.socket
        let connection: DaemonConnection
        do {
            connection = try DaemonConnection(path)
        } catch {
            say("glimpsed: \(error)")
            throw error.isForbidden ? ExitCode.failed : .unavailable
        }
        connection.send(request.bytes)
        guard let line = connection.nextLine(), let reply = ReplyLine(line) else {
            say("glimpsed: \(path): the daemon closed the connection without a reply")
            throw ExitCode.unavailable
        }
        return reply
    }

    /// Sends a request and waits for its reply, and treats an error in the reply as a failure of the command.
    ///
    /// - Throws: the statuses of `ask`, and 1 when the reply is an error.
    func command(_ request: ControlRequestLine) throws -> ReplyLine {
        let reply = try ask(request)
        if let error = reply.error {
            say("glimpsed: \(error)")
            throw ExitCode.failed
        }
        return reply
    }
}
