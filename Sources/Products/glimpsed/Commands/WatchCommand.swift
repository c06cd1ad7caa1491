// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import EventLog
import FoundationEssentials
import Glibc
import GlimpseClient
import Observations
import Settings

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Subscribe to the daemon: show a live table on a terminal, or write the lines to a pipe.",
        discussion: """
            Examples:
              glimpsed watch
              glimpsed watch --json --kind barcode | jq -r 'select(.type == "detected") | .barcode.raw'

            After a restart of the daemon, watch resumes after the last line received. A terminal that cannot draw a table \
            (TERM=dumb) shows the lines.

            Exit status: 0 stopped by a signal, 1 the daemon rejects this user or the request, 69 no daemon is running at the start.
            """)

    @Option(help: ArgumentHelp("The event socket. Default: events.socket of the configuration.", valueName: "path"))
    var socket: String?

    @Option(
        help: ArgumentHelp("The daemon's configuration. Default: \(ConfigurationCheck.defaultFile).", valueName: "file")
    )
    var config: String?

    @Flag(help: "Print the lines as received, also on a terminal.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Select a kind: face, barcode, object, scene, or another detector's. May be repeated.", valueName: "kind"))
    var kind: [String] = []

    @Option(help: ArgumentHelp("Select a pipeline; * matches any text. May be repeated.", valueName: "pipeline"))
    var pipeline: [String] = []

    @Option(help: ArgumentHelp("Select objects and scenes with this label. May be repeated.", valueName: "label"))
    var label: [String] = []

    @Option(help: ArgumentHelp("Select tracks that have reached this confidence, 0 to 1.", valueName: "confidence"))
    var minConfidence: Double?

    @Option(
        help: ArgumentHelp("Select barcodes whose value matches this POSIX regular expression.", valueName: "regex"))
    var value: String?

    @Option(help: ArgumentHelp("Select lines of this type, such as detected. May be repeated.", valueName: "type"))
    var type: [String] = []

    @Option(help: ArgumentHelp("Select the crossings of this line. May be repeated.", valueName: "line"))
    var line: [String] = []

    @Option(help: ArgumentHelp("Select tracks that have been in this zone. May be repeated.", valueName: "zone"))
    var zone: [String] = []

    @Option(help: ArgumentHelp("The highest number of updates per track and second.", valueName: "hz"))
    var rate: Double?

    @Flag(
        help:
            "Add a frame line for each frame that a detector has processed, with its number of tracks, even if that is 0."
    )
    var frames = false

    @Flag(help: "Add explain lines: the reason why a detection was not tracked, or why a track ended.")
    var explain = false

    @Option(
        help: ArgumentHelp("With --frames: the highest number of frame lines per detector and second.", valueName: "hz")
    )
    var frameRate: Double?

    @Option(
        help: ArgumentHelp("Start after this sequence number, if the journal still has the events.", valueName: "seq"))
    var after: UInt64?

    func validate() throws {
        for kind in kind where FeatureKind(rawValue: kind) == nil {
            throw ValidationError(KindArgument.problem(kind))
        }
        // The daemon's own parser checks the filter.
        do {
            _ = try SubscriberRequest(line: Array(JSONEncoder().encode(["subscribe": filter])))
        } catch let error as SubscriberRequest.Invalid {
            throw ValidationError(error.reason)
        } catch {
            throw ValidationError("a number is not valid: \(error)")
        }
    }

    private var filter: Filter {
        func wanted(_ names: [String]) -> [String]? { names.isEmpty ? nil : names }
        return Filter(
            pipelines: wanted(pipeline), kinds: wanted(kind), types: wanted(type), labels: wanted(label),
            minimumConfidence: minConfidence, value: value, updateRate: rate, zones: wanted(zone), lines: wanted(line),
            frames: frames ? true : nil, frameRate: frameRate,
            explain: explain ? true : nil)
    }

    func run() async throws {
        let path = try socket ?? daemonSettings(config).events.socket
        let subscription = Subscription(socket: path, filter: filter, after: after.map { Position(sequence: $0) })
        guard !json, LiveScreen.isPossible else {
            for number in [SIGINT, SIGTERM] { signal(number) { _ in _exit(0) } }
            return try await subscription.follow { event in
                if case .disconnected(let lost) = event.content {
                    say("glimpsed: \(lost.reason); reconnecting")
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
