import ArgumentParser
import DiskJournal
import Events
import Glibc
import Observations
import Settings

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "What was seen: tracks and searches in the journal on disk, newest first.",
        discussion: """
            Examples:
              glimpsed history
              glimpsed history --kind barcode --value '40063*' --since 2h
              glimpsed history --since 2026-11-20T08:00:00Z --json | jq -r .value
              glimpsed history --searches --pipeline shelf

            Reads the database beside the daemon, whether it runs or not; under systemd only root may. Times are when a track was seen or a \
            search was over, by the pipeline's own clock. Pictures are named while they are there. The daemon keeps a history while \
            events.journal_disk is set.

            Exit status: 0, 2 nothing found, 66 there is no history, or it cannot be read.
            """)

    @Option(help: ArgumentHelp("The daemon's configuration, which says where.", valueName: "file"))
    var config: String?

    @Flag(help: "Only tracks, or only searches.")
    var part: History.Query.Part?

    @Option(help: ArgumentHelp("Only this kind: face, barcode, object, scene. May be repeated.", valueName: "kind"))
    var kind: [String] = []

    @Option(help: ArgumentHelp("Only this pipeline; * stands for anything. May be repeated.", valueName: "pipeline"))
    var pipeline: [String] = []

    @Option(
        name: [.long, .customLong("label")],
        help: ArgumentHelp(
            "Only this barcode's value, object's label or search's result; * stands for anything.", valueName: "text"))
    var value: String?

    @Option(
        help: ArgumentHelp("Seen then or later: RFC 3339 in UTC, or how long ago (90s, 2h, 7d).", valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("Seen before: the same.", valueName: "time"))
    var until: String?

    @Option(help: ArgumentHelp("At most so many.", valueName: "count"))
    var limit = 100

    @Flag(help: "One line of JSON for each on standard output.")
    var json = false

    func validate() throws {
        for kind in kind where FeatureKind(rawValue: kind) == nil {
            let kinds = FeatureKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("there is no kind \"\(kind)\"; one of: \(kinds)")
        }
        guard limit > 0 else { throw ValidationError("--limit is a number from 1") }
        for text in [since, until].compactMap(\.self) where Self.time(text) == nil {
            throw ValidationError("\"\(text)\" is no time such as 2026-11-20T08:00:00Z, nor how long ago, such as 2h")
        }
    }

    func run() throws {
        var query = History.Query()
        query.part = part
        query.kinds = kind.compactMap(FeatureKind.init)
        query.pipelines = pipeline
        query.value = value
        query.since = since.flatMap(Self.time)
        query.until = until.flatMap(Self.time)
        query.limit = limit
        let entries: [History.Entry]
        do {
            entries = try History.read(
                folder: ConfigurationCheck(file: config).daemon.daemon.stateDirectory, query)
        } catch {
            say("glimpsed: \(error)")
            throw ExitCode.inputMissing
        }
        for entry in entries {
            try StandardOutput.write((json ? entry.json : Array(entry.text.utf8)) + [UInt8(ascii: "\n")])
        }
        if entries.isEmpty { throw ExitCode.nothingFound }
    }

    /// A time, or so long before now.
    private static func time(_ text: String) -> Timestamp? {
        if let time = Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text.replacing("Z", with: ".000000000Z")) {
            return time
        }
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()), count >= 0,
            count < 100_000
        else { return nil }
        return Moment.now.time.advanced(byNanoseconds: -count * unit * 1_000_000_000)
    }
}

extension History.Query.Part: EnumerableFlag {}
