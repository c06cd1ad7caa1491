import ArgumentParser
import EventLog
import FoundationEssentials
import Glibc
import GlimpseClient
import Observations
import Settings

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Subscribe to the daemon: a live table on a terminal, the lines into a pipe.",
        discussion: """
            Examples:
              glimpsed watch
              glimpsed watch --json --kind barcode | jq -r 'select(.type == "detected") | .barcode.raw'

            When the daemon is started again, watch goes on with what came after the last line it got. A terminal on which nothing can be drawn \
            (TERM=dumb) gets the lines too.

            Exit status: 0 when it is stopped, 1 when the daemon does not hear this user or refuses what is asked for, 69 when there is no \
            daemon at the start.
            """)

    @Option(help: ArgumentHelp("The event socket. Default: the configuration's.", valueName: "path"))
    var socket: String?

    @Option(
        help: ArgumentHelp("The daemon's configuration. Default: \(ConfigurationCheck.defaultFile).", valueName: "file")
    )
    var config: String?

    @Flag(help: "Print the lines as received, on a terminal too.")
    var json = false

    @Option(help: ArgumentHelp("Only this kind: face, barcode, object, scene. May be repeated.", valueName: "kind"))
    var kind: [String] = []

    @Option(help: ArgumentHelp("Only this pipeline; * stands for anything. May be repeated.", valueName: "pipeline"))
    var pipeline: [String] = []

    @Option(help: ArgumentHelp("Only objects and scenes with this label. May be repeated.", valueName: "label"))
    var label: [String] = []

    @Option(help: ArgumentHelp("Only tracks that have had this confidence, 0 to 1.", valueName: "confidence"))
    var minConfidence: Double?

    @Option(help: ArgumentHelp("Only barcodes whose value this POSIX regular expression finds.", valueName: "regex"))
    var value: String?

    @Option(help: ArgumentHelp("Only lines of this type, such as detected. May be repeated.", valueName: "type"))
    var type: [String] = []

    @Option(help: ArgumentHelp("Only tracks that have been in this zone. May be repeated.", valueName: "zone"))
    var zone: [String] = []

    @Option(help: ArgumentHelp("At most so many updates of a track a second.", valueName: "hz"))
    var rate: Double?

    @Flag(
        help:
            "Also a line for each frame that a detector has processed: how much it has in view, or that it is nothing.")
    var frames = false

    @Option(help: ArgumentHelp("With --frames: at most so many of a detector's a second.", valueName: "hz"))
    var frameRate: Double?

    @Option(help: ArgumentHelp("Start after this sequence number, as far as the journal goes back.", valueName: "seq"))
    var after: UInt64?

    func validate() throws {
        for kind in kind where FeatureKind(rawValue: kind) == nil {
            let kinds = FeatureKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("there is no kind \"\(kind)\"; one of: \(kinds)")
        }
        // The daemon's own parser checks the filter.
        do {
            _ = try SubscriberRequest(line: Array(JSONEncoder().encode(["subscribe": filter])))
        } catch let error as SubscriberRequest.Invalid {
            throw ValidationError(error.reason)
        } catch {
            throw ValidationError("a number is none: \(error)")
        }
    }

    private var filter: Filter {
        func wanted(_ names: [String]) -> [String]? { names.isEmpty ? nil : names }
        return Filter(
            pipelines: wanted(pipeline), kinds: wanted(kind), types: wanted(type), labels: wanted(label),
            minimumConfidence: minConfidence, value: value, updateRate: rate, zones: wanted(zone),
            frames: frames ? true : nil, frameRate: frameRate)
    }

    func run() async throws {
        let path = try socket ?? daemonSettings(config).events.socket
        let subscription = Subscription(socket: path, filter: filter, after: after.map { Position(sequence: $0) })
        guard !json, LiveScreen.isPossible else {
            for number in [SIGINT, SIGTERM] { signal(number) { _ in _exit(0) } }
            return try await subscription.follow { event in
                if case .disconnected(let lost) = event.content {
                    say("glimpsed: \(lost.reason); trying again")
                } else {
                    try StandardOutput.write(event.json + [UInt8(ascii: "\n")])
                }
            }
        }
        let screen = SharedScreen()
        let drawing = Task {
            while (try? await Task.sleep(for: LiveScreen.refreshInterval)) != nil { screen.refresh() }
        }
        defer { drawing.cancel() }
        try await subscription.follow(whenRefused: screen.close) { screen.take($0) }
    }
}
