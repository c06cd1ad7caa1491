// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FoundationEssentials
import Settings

/// Commands about the live page.
struct WebCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "web", abstract: "Print a link to the live page.",
        discussion: "Example:\n  sudo glimpsed web open", subcommands: [Open.self])

    struct Open: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a link that opens the live page once, within five minutes.",
            discussion: """
                If the page has a token, the link begins a session of the browser. Only root and the page's own user get \
                a link.

                Examples:
                  sudo glimpsed web open
                  xdg-open "$(sudo glimpsed web open)"

                Exit status: 0 success, 1 the page rejects this user, 69 glimpsed-web is not running.
                """)

        @Option(help: ArgumentHelp("The socket of glimpsed-web: links of web.toml.", valueName: "path"))
        var socket = WebSettings().links

        func run() throws {
            let connection: DaemonConnection
            do throws(DaemonConnection.Failure) {
                connection = try DaemonConnection(socket)
            } catch {
                let advice = "the page is not running; start it with: systemctl start glimpsed-web"
                say("glimpsed: \(socket): \(error.isAbsent ? advice : "\(error)")")
                throw error.isForbidden ? ExitCode.failed : .unavailable
            }
            guard let line = connection.nextLine(timeout: 5000), let link = WebLink(line) else {
                say("glimpsed: \(socket): the page gave no link")
                throw ExitCode.unavailable
            }
            guard let url = link.url else {
                say("glimpsed: \(link.error ?? "the page gave no link")")
                throw ExitCode.failed
            }
            try StandardOutput.write(Array("\(url)\n".utf8))
        }
    }
}

/// The answer of the page's socket.
struct WebLink: Decodable {
    var url: String?
    var error: String?

    init?(_ line: [UInt8]) {
        guard let link = try? JSONDecoder().decode(WebLink.self, from: Data(line)) else { return nil }
        self = link
    }

    /// A link of the page whose socket this is; nil without one.
    static func url(_ socket: String) -> String? {
        (try? DaemonConnection(socket))?.nextLine(timeout: 5000).flatMap(WebLink.init)?.url
    }
}
