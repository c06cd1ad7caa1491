// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc
import Installation
import LogSupport
import Settings
import Web

@main
struct WebProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "glimpsed-web",
        abstract: "Show the cameras and tracks of glimpsed in a browser.",
        discussion: """
            Examples:
              glimpsed-web
              glimpsed-web --listen 127.0.0.1:9000 --control ./control.sock --events ./events.sock
              glimpsed-web --check --config ./web.toml

            Without --config and without \(WebSettings.defaultFile) the page is at http://127.0.0.1:8420 for everybody on \
            this machine.

            Exit status: 0 success, 64 wrong usage, 69 the address is not free, 78 configuration error.
            """,
        version: Version.text)

    @Option(
        help: ArgumentHelp(
            "The page's configuration. Default: \(WebSettings.defaultFile), if it exists.", valueName: "file"))
    var config: String?

    @Option(help: ArgumentHelp("Replaces `listen`: HOST:PORT, or unix:PATH.", valueName: "address"))
    var listen: ListenAddress?

    @Option(help: ArgumentHelp("Replaces `events`: the daemon's event socket.", valueName: "path"))
    var events: String?

    @Option(help: ArgumentHelp("Replaces `control`: the daemon's control socket.", valueName: "path"))
    var control: String?

    @Option(help: ArgumentHelp("Replaces `links`: the socket of `glimpsed web open`.", valueName: "path"))
    var links: String?

    @Option(help: ArgumentHelp("The folder of the page's files.", valueName: "folder"))
    var page: String?

    @Flag(help: "Read the configuration, print every error, and exit.")
    var check = false

    func run() async throws {
        let log = ProgramLog("glimpsed-web")
        let settings: WebSettings
        do throws(ConfigurationErrors) {
            settings = try loaded()
        } catch {
            for problem in error.errors { log.write(problem.description) }
            throw ExitCode(78)
        }
        if check {
            log.write("\(config ?? WebSettings.defaultFile): no errors; the page is at \(settings.listen.text)")
            return
        }
        WebServer.useOneEventLoop()
        do {
            try await WebServer(settings, server: "glimpsed-web \(Version.text)", page: page, log: log).run()
        } catch let failure as WebServer.Failure {
            log(.error, failure.description)
            throw ExitCode(failure.isConfiguration ? 78 : 69)
        }
    }

    private func loaded() throws(ConfigurationErrors) -> WebSettings {
        var bytes: [UInt8] = []
        let file = config ?? WebSettings.defaultFile
        if config != nil || access(file, F_OK) == 0 { bytes = try BoundedFile.bytes(of: file) }
        var settings = try WebSettings.parse(bytes: bytes, file: file, listen: listen)
        if let events { settings.events = FilePath.absolute(events) }
        if let control { settings.control = FilePath.absolute(control) }
        if let links { settings.links = FilePath.absolute(links) }
        return settings
    }
}

extension ListenAddress: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}
