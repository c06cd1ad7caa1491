import ArgumentParser
import EventLines
import LaneSettings
import Pipelines
import Settings
import Tapes

struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Make a recorded pipeline's events again, or tell what other settings would have made.",
        usage: """
            glimpsed replay <tape> [--config <file>] [--explain]
            glimpsed replay <tape> --diff [<a>] <b> [--json]
            """,
        discussion: """
            Examples:
              glimpsed pipeline door.toml --record door.tape > live.jsonl
              glimpsed replay door.tape | cmp - live.jsonl
              glimpsed replay door.tape --config other.toml | jq .
              glimpsed replay door.tape --diff other.toml
              glimpsed replay door.tape --diff a.toml b.toml --json | jq .

            What the detectors saw goes through tracking and everything after it again, on the tape's own time: the same settings give the \
            same bytes. Settings of what a detector sees (models, sizes, formats) cannot be tried this way; where such differ from the \
            tape's, a warning says so. [source] is not looked at.

            --diff tells the tracks that are in one replay only and those that differ in when they were detected, when they were last \
            seen, in how many frames, why they ended, or in what they are. With one file the tape's own settings are the other side.

            Exit status: 0, also when a tape that was cut off has been replayed as far as it goes, with a warning; 1 it is no tape; \
            66 it is missing; 78 the configuration is wrong.
            """)

    @Argument(help: "What glimpsed pipeline --record wrote.")
    var tape: String

    @Option(help: ArgumentHelp("A pipeline's file, in place of the settings on the tape.", valueName: "file"))
    var config: String?

    @Option(parsing: .upToNextOption, help: ArgumentHelp("One or two pipelines' files to compare.", valueName: "files"))
    var diff: [String] = []

    @Flag(help: "With --diff: a line of JSON for each track.")
    var json = false

    @Flag(help: "Add explain lines, as glimpsed pipeline --explain does.")
    var explain = false

    @Flag(help: "Add frame lines, as glimpsed pipeline --frames does.")
    var frames = false

    func validate() throws {
        guard diff.count <= 2 else { throw ValidationError("--diff wants one file or two, not \(diff.count)") }
        guard diff.isEmpty || config == nil else {
            throw ValidationError("--diff names its files itself: leave out --config")
        }
        guard diff.isEmpty || !explain else { throw ValidationError("--explain has no place in a --diff") }
        guard diff.isEmpty || !frames else { throw ValidationError("--frames has no place in a --diff") }
        guard !json || !diff.isEmpty else { throw ValidationError("--json is for --diff; events are JSON already") }
    }

    func run() throws {
        do {
            var reader = try TapeReader(tape)
            let recorded = try PipelineSettings.parseWithoutSource(
                Array(reader.header.configuration.utf8), file: "\(tape): settings")
            if diff.isEmpty {
                try replay(&reader, recorded)
            } else {
                try compare(&reader, recorded)
            }
            if let warning = reader.ending?.warning { say("glimpsed: \(tape): \(warning)") }
        } catch let error as TapeError {
            say("glimpsed: \(error)")
            throw error.isMissing ? ExitCode.inputMissing : ExitCode.failed
        } catch let error as ConfigurationErrors {
            say(error.description)
            throw ExitCode.configurationError
        }
    }

    private func replay(_ reader: inout TapeReader, _ recorded: PipelineSettings) throws {
        let settings = try settings(config, recorded)
        let output = BufferedOutput()
        var replay = Replay(
            reader.header, plans: plans(settings, reader.header), followsReloads: config == nil,
            pipeline: PipelineIdentity(name: settings.name, tags: settings.tags),
            frames: frames, barcodes: settings.barcodeReporting, sink: output,
            complain: { say("glimpsed: \($0)") })
        while let record = try reader.next() {
            replay.take(record)
            try output.passOn()
        }
        try output.passOn(all: true)
    }

    private func compare(_ reader: inout TapeReader, _ recorded: PipelineSettings) throws {
        let files = (a: diff.count == 2 ? diff[0] : nil, b: diff[diff.count - 1])
        let (a, b) = (try settings(files.a, recorded), try settings(files.b, recorded))
        var comparison = TrackComparison(
            reader.header, a: plans(a, reader.header), b: plans(b, reader.header),
            followsReloads: (files.a == nil, false),
            barcodes: (a.barcodeReporting, b.barcodeReporting))
        while let record = try reader.next() { comparison.take(record) }
        let report = DifferenceReport(a: files.a ?? "the tape's settings", b: files.b, comparison.differences)
        try StandardOutput.write(json ? report.json : Array(report.text.utf8))
    }

    private func settings(_ file: String?, _ recorded: PipelineSettings) throws -> PipelineSettings {
        guard let file else { return recorded }
        let settings = try PipelineSettings.loadWithoutSource(file: file)
        for line in settings.limitations(on: recorded) { say("warning: \(file): \(line)") }
        return settings
    }

    private func plans(_ settings: PipelineSettings, _ header: TapeHeader) -> [LanePlan] {
        settings.lanePlans.map { plan in
            var plan = plan
            plan.firstTrack = header.firstTrack
            plan.explains = header.explains || explain
            return plan
        }
    }
}
