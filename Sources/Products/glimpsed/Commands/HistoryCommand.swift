import ArgumentParser
import DiskJournal
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
              glimpsed history --since 2026-11-20 --until 2026-11-21 --limit 1000
              glimpsed history --since 2026-11-20T08:00:00Z --json | jq -r .value
              glimpsed history --searches --pipeline shelf

            Reads the database beside the daemon, whether it runs or not; under systemd only root may. Times are when a track was seen or a \
            search was over, by the pipeline's own clock. Pictures are named while they are there. The daemon keeps a history while \
            events.journal_disk is set.

            Exit status: 0, 2 nothing found, 66 there is no history, or it cannot be read, 78 the configuration that was named cannot be.
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
        help: ArgumentHelp(
            "Seen then or later: a date, a time (RFC 3339; in UTC unless it says otherwise), or how long ago (90s, 2h, 7d).",
            valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("Seen before: the same.", valueName: "time"))
    var until: String?

    @Option(help: ArgumentHelp("At most so many. Default: \(Self.usualLimit).", valueName: "count"))
    var limit: Int?

    @Flag(help: "One line of JSON for each on standard output.")
    var json = false

    private static let usualLimit = 100

    func validate() throws {
        for kind in kind where FeatureKind(rawValue: kind) == nil {
            let kinds = FeatureKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("there is no kind \"\(kind)\"; one of: \(kinds)")
        }
        guard limit ?? 1 > 0 else { throw ValidationError("--limit is a number from 1") }
        let times = try [since, until].map { text -> Timestamp? in
            guard let text else { return nil }
            guard let time = TimeArgument.parse(text) else {
                throw ValidationError("\"\(text)\" is no time such as \(TimeArgument.forms)")
            }
            return time
        }
        if let since = times[0], let until = times[1], until <= since {
            throw ValidationError("--until is not after --since")
        }
    }

    func run() throws {
        var query = History.Query()
        query.part = part
        query.kinds = kind.compactMap(FeatureKind.init)
        query.pipelines = pipeline
        query.value = value
        query.since = since.flatMap(TimeArgument.parse)
        query.until = until.flatMap(TimeArgument.parse)
        // One entry more than shown tells whether further entries exist.
        query.limit = limit ?? Self.usualLimit + 1
        let folder = try daemonSettings(config).daemon.stateDirectory
        var entries: [History.Entry]
        do {
            entries = try History.read(folder: folder, query)
        } catch {
            say("glimpsed: \(error)")
            throw ExitCode.inputMissing
        }
        guard !entries.isEmpty else {
            say("glimpsed: nothing found")
            throw ExitCode.nothingFound
        }
        let hasMore = limit == nil && entries.count > Self.usualLimit
        if hasMore { entries.removeLast() }
        let lines = json ? entries.map(\.json) : HistoryTable(entries).lines.map { Array($0.utf8) }
        for line in lines { try StandardOutput.write(line + [UInt8(ascii: "\n")]) }
        if hasMore { say("glimpsed: there are more than these \(Self.usualLimit); see --limit") }
    }
}

extension History.Query.Part: EnumerableFlag {}
