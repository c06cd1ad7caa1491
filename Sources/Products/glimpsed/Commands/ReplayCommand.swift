// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import EventLines
import LaneSettings
import Pipelines
import Settings
import Tapes

struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Reproduce the events of a recorded pipeline, or compare them with the events of other settings.",
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

            The recorded output of the detectors passes through tracking and the later stages again, with the tape's time stamps. \
            Equal settings give equal bytes. Settings of the detectors themselves (models, sizes, formats) have no effect; \
            a warning names those that differ from the tape's. [source] is ignored.

            --diff lists the tracks of only one replay, and the tracks that differ. It compares the time of detection, the time \
            last seen, the number of frames, the reason of the end, and the label or value. One file is compared with the \
            tape's own settings.

            Exit status: 0 success, 1 the file is not a tape, 66 the tape is missing, 78 configuration error. A truncated tape is \
            replayed up to its last complete record, with a warning and status 0.
            """)

    @Argument(help: "A tape recorded by glimpsed pipeline --record.")
    var tape: String

    @Option(help: ArgumentHelp("Use the settings of this pipeline file instead of the tape's.", valueName: "file"))
    var config: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Compare the settings of one or two pipeline files.", valueName: "files"))
    var diff: [String] = []

    @Flag(help: "With --diff: print one line of JSON for each track.")
    var json = false

    @Flag(help: "Add explain lines, as glimpsed pipeline --explain does.")
    var explain = false

    @Flag(help: "Add frame lines, as glimpsed pipeline --frames does.")
    var frames = false

    func validate() throws {
        guard diff.count <= 2 else { throw ValidationError("--diff requires one or two files, not \(diff.count)") }
        guard diff.isEmpty || config == nil else {
            throw ValidationError("--diff and --config exclude each other; name the file after --diff")
        }
        guard diff.isEmpty || !explain else { throw ValidationError("--explain and --diff exclude each other") }
        guard diff.isEmpty || !frames else { throw ValidationError("--frames and --diff exclude each other") }
        guard !json || !diff.isEmpty else { throw ValidationError("--json requires --diff; events are always JSON") }
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
            frames: frames, barcodes: settings.barcodeReporting, sink: LineCounter(next: output),
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
