import ArgumentParser
import Glibc
import Observations
import Settings

struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Subscribe to the daemon: a live table on a terminal, the lines into a pipe.",
        discussion: """
            Examples:
              glimpsed watch
              glimpsed watch --json --kind barcode | jq -r 'select(.type == "detected") | .barcode.raw'

            Exit status: 0 when the daemon ends the stream, 69 when there is no daemon.
            """)

    @Option(help: ArgumentHelp("The event socket. Default: the configuration's.", valueName: "path"))
    var socket: String?

    @Flag(help: "Print the lines as received, on a terminal too.")
    var json = false

    @Option(help: ArgumentHelp("Only this kind: face, barcode, object, scene. May be repeated.", valueName: "kind"))
    var kind: [String] = []

    @Option(help: ArgumentHelp("Only this pipeline; * stands for anything. May be repeated.", valueName: "pipeline"))
    var pipeline: [String] = []

    @Option(help: ArgumentHelp("Start after this sequence number, as far as the journal goes back.", valueName: "seq"))
    var after: UInt64?

    func validate() throws {
        for kind in kind where FeatureKind(rawValue: kind) == nil {
            let kinds = FeatureKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("there is no kind \"\(kind)\"; one of: \(kinds)")
        }
    }

    func run() throws {
        let path = socket ?? ConfigurationCheck().daemon.events.socket
        let connection: DaemonConnection
        do {
            connection = try DaemonConnection(path)
        } catch {
            say("glimpsed: \(error)")
            throw ExitCode.unavailable
        }
        if let request = WatchRequest(kinds: kind, pipelines: pipeline, after: after).line { connection.send(request) }
        guard !json, isatty(STDOUT_FILENO) == 1 else {
            while let line = connection.nextLine() { try StandardOutput.write(line + [UInt8(ascii: "\n")]) }
            return
        }
        var screen = LiveScreen()
        while let line = connection.nextLine(timeout: screen.refreshInterval) {
            if !line.isEmpty { screen.take(line) }
            screen.refresh()
        }
        screen.close()
        say("glimpsed: the daemon closed the stream")
    }
}
