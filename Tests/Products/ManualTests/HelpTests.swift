// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// The help of every command.
@Suite struct HelpTests {
    /// `demo` and `doctor` of the worker are steps of commands of `glimpsed`. Users run neither `serve` nor `symbol`.
    private static let internalCommands: Set = ["demo", "doctor", "serve", "symbol", "zygote"]

    @Test(arguments: ["glimpsed", "glimpsed-worker", "glimpsed-relay", "glimpsed-web"])
    func theHelpOfEachCommandHasAnExample(program: String) throws {
        let dump = Program.run(Program.built(program), ["--experimental-dump-help"])
        let root = try JSONDecoder().decode(Dump.self, from: Data(dump.output)).command
        var commands = program == "glimpsed-worker" ? [] : [root]
        var pending = root.subcommands ?? []
        while let command = pending.popLast() {
            if command.commandName == "help" { continue }
            if program == "glimpsed-worker", Self.internalCommands.contains(command.commandName) { continue }
            pending += command.subcommands ?? []
            // The worker has the help of commands that `glimpsed` only forwards.
            if !command.forwards { commands.append(command) }
        }
        #expect(!commands.isEmpty)
        for command in commands {
            let help = command.discussion ?? ""
            #expect(help.contains(/Examples?:\n  .*glimpsed/), "\(command.commandName)")
        }
    }
}

private struct Dump: Decodable {
    struct Command: Decodable {
        struct Argument: Decodable {
            let valueName: String?
        }

        let commandName: String
        let discussion: String?
        let arguments: [Argument]?
        let subcommands: [Command]?

        var forwards: Bool { (arguments ?? []).contains { $0.valueName == "arguments" } }
    }

    let command: Command
}
