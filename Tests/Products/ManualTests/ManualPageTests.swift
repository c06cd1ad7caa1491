// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// The manual pages that `make build` makes from the built programs and docs/.
@Suite struct ManualPageTests {
    private let scope = TestScope()

    private func page(_ name: String) throws -> String {
        let binaries = (Program.built("glimpsed") as NSString).deletingLastPathComponent
        let made = Program.run("\(Checkout.root)/scripts/man/make-man", [binaries, scope.folder])
        #expect(made.status == 0, "\(made)")
        let section = try #require(name.last)
        return try String(contentsOfFile: scope.path("man\(section)/\(name)"), encoding: .ascii)
    }

    @Test func everyCommandAndOptionIsInSection1() throws {
        let page = try page("glimpsed.1").replacing("\\-", with: "-")
        let worker = Set(["pipeline", "detect", "demo", "doctor"])
        for (program, wanted) in [("glimpsed", nil), ("glimpsed-worker", worker)] {
            let help = Program.run(Program.built(program), ["--experimental-dump-help"])
            let root = try JSONDecoder().decode(Help.self, from: Data(help.output)).command
            for command in root.subcommands ?? []
            where wanted?.contains(command.commandName) ?? (command.commandName != "help") {
                #expect(page.contains("\\fBglimpsed \(command.commandName)\\fR"), "\(command.commandName)")
                for option in command.allOptions { #expect(page.contains("\\fB--\(option)\\fR"), "\(option)") }
            }
        }
    }

    @Test func everyKeyIsInSection5() throws {
        let page = try page("glimpsed.toml.5").replacing("\\-", with: "-")
        let example = try String(contentsOfFile: "\(Checkout.root)/config.example.toml", encoding: .utf8)
        let keys = example.split(separator: "\n").filter { $0.contains(" = ") && !$0.hasPrefix("#") }
        #expect(keys.count > 30)
        for key in keys { #expect(page.contains(key.prefix { $0 != " " }), "\(key)") }
        let folder = "\(Checkout.root)/docs/reference"
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix("config") }
        let documented = try pages.flatMap { name in
            try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).matches(of: /\n\| `([a-z_]+)`/)
                .map { String($0.output.1) }
        }
        #expect(documented.count > 150)
        for key in documented { #expect(page.contains("\\fB\(key)\\fR"), "\(key)") }
    }

    @Test func everyTypeOfLineIsInSection7() throws {
        let page = try page("glimpsed-events.7")
        for type in [
            "hello", "state", "detected", "update", "missing", "completed", "source", "detector", "gap", "ping",
            "explain",
        ] {
            #expect(page.contains("\\fB\(type)\\fR"), "\(type)")
        }
    }

    @Test(.enabled(if: access("/usr/bin/mandoc", X_OK) == 0, "mandoc is not installed"))
    func mandocHasNoComplaint() throws {
        for name in ["glimpsed.1", "glimpsed.toml.5", "glimpsed-events.7"] {
            let text = try page(name)
            scope.write(name, text)
            let result = Program.run("mandoc", ["-T", "lint", "-W", "warning", scope.path(name)])
            #expect(result.status == 0 && result.lines.isEmpty, "\(result)")
        }
    }

    /// `debian/rules` refuses to package a program of another version.
    @Test func theChangelogIsAboutThisVersion() throws {
        let changelog = try String(contentsOfFile: "\(Checkout.root)/debian/changelog", encoding: .utf8)
        let version = Program.run(Program.built("glimpsed"), ["--version"]).lines.first ?? ""
        #expect(changelog.hasPrefix("glimpse (\(version)) "))
    }
}

private struct Help: Decodable {
    struct Command: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                let kind: String
                let name: String
            }
            let names: [Name]?
            let shouldDisplay: Bool
        }
        let commandName: String
        let arguments: [Argument]?
        let subcommands: [Command]?

        /// The long options of a command and of its subcommands.
        var allOptions: [String] {
            let own = (arguments ?? []).filter(\.shouldDisplay).flatMap { $0.names ?? [] }
                .filter { $0.kind == "long" && !["help", "version"].contains($0.name) }.map(\.name)
            return own + (subcommands ?? []).flatMap(\.allOptions)
        }
    }
    let command: Command
}
