// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import DiskJournal
import EventLog
import Glibc
import Observations
import Settings

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List the tracks and searches of the journal on disk, newest first.",
        discussion: """
            Examples:
              glimpsed history
              glimpsed history --kind barcode --value '40063*' --since 2h
              glimpsed history --since 2026-11-20 --until 2026-11-21 --limit 1000
              glimpsed history --since 2026-11-20T08:00:00Z --json | jq -r .value
              glimpsed history --searches --pipeline shelf

            The command reads the database directly and does not need the daemon. Under systemd only root can read the \
            database. The daemon keeps a history if retention.events has a size.

            A time tells when a track was seen or a search ended, by the pipeline's clock. Picture files are listed until \
            they are deleted.

            Exit status: 0 success, 2 nothing found, 66 no readable history, 78 the file of --config cannot be read.
            """)

    @Option(
        help: ArgumentHelp(
            "The daemon's configuration, which sets the state folder. Default: \(ConfigurationCheck.defaultFile).",
            valueName: "file"))
    var config: String?

    @Flag(help: "List only tracks, or only searches.")
    var part: History.Query.Part?

    @Option(
        help: ArgumentHelp(
            "Select a kind: face, barcode, object, scene, or another detector's. May be repeated.", valueName: "kind"))
    var kind: [String] = []

    @Option(help: ArgumentHelp("Select a pipeline; * matches any text. May be repeated.", valueName: "pipeline"))
    var pipeline: [String] = []

    @Option(
        help: ArgumentHelp("Select tracks that were in a zone; * matches any text. May be repeated.", valueName: "zone")
    )
    var zone: [String] = []

    @Option(
        name: [.long, .customLong("label")],
        help: ArgumentHelp(
            "Select a barcode's value, an object's label or a search's result; * matches any text.", valueName: "text"))
    var value: String?

    @Option(
        help: ArgumentHelp(
            "Select from this time on: a date, a time (RFC 3339, default UTC), or a duration before now (90s, 2h, 7d).",
            valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("Select before this time, in the forms of --since.", valueName: "time"))
    var until: String?

    @Option(help: ArgumentHelp("List at most this number of entries. Default: \(Self.usualLimit).", valueName: "count"))
    var limit: Int?

    @Flag(help: "Print one line of JSON for each entry.")
    var json = false

    private static let usualLimit = 100

    func validate() throws {
        for kind in kind where FeatureKind(rawValue: kind) == nil {
            throw ValidationError(KindArgument.problem(kind))
        }
        guard limit ?? 1 > 0 else { throw ValidationError("--limit requires 1 or more") }
        let times = try [since, until].map { text -> Timestamp? in
            guard let text else { return nil }
            guard let time = TimeText.parse(text) else {
                throw ValidationError("\"\(text)\" is not a time; valid forms are \(TimeText.forms)")
            }
            return time
        }
        if let since = times[0], let until = times[1], until <= since {
            throw ValidationError("--until must be after --since")
        }
    }

    func run() throws {
        var query = History.Query()
        query.part = part
        query.kinds = kind.compactMap(FeatureKind.init)
        query.pipelines = pipeline
        query.zones = zone
        query.value = value
        query.since = since.flatMap(TimeText.parse)
        query.until = until.flatMap(TimeText.parse)
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
        if hasMore { say("glimpsed: showing the newest \(Self.usualLimit) entries; --limit shows more") }
    }
}

extension History.Query.Part: EnumerableFlag {}
