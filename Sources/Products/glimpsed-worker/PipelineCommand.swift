// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Assembly
import EventLines
import FoundationEssentials
import Frames
import Installation
import Pipelines
import ProgramHost
import Settings
import Tapes

struct PipelineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pipeline",
        abstract: "Run one pipeline in the foreground and write its events to standard output.",
        usage:
            "glimpsed pipeline <file> [--source <path-or-uri>] [--set <key=value>] ... [--record <tape>] [--pictures <folder>] [--stages] [--frames] [--explain]",
        discussion: """
            Examples:
              glimpsed pipeline pipelines/webcam.toml | jq .
              glimpsed pipeline pipelines/file.toml --source clip.mp4
              glimpsed pipeline pipelines/webcam.toml --set face.min_size=0.05
              glimpsed pipeline pipelines/webcam.toml --record door.tape

            A file is processed frame by frame, as fast as this machine allows. Two runs over one file give equal lines.

            A tape records the output of the detectors, without pictures. glimpsed replay reproduces the event lines from it.

            Exit status: 0 the stream ended, 1 the source failed, 66 the source is missing, 69 a component is not \
            installed, 78 configuration error.
            """)

    @Argument(help: "The pipeline's configuration file.")
    var file: String

    @Option(help: ArgumentHelp("Replace the file's [source] with this source.", valueName: "path-or-uri"))
    var source: String?

    @OptionGroup var overrides: Overrides

    @Option(
        help: ArgumentHelp("Record the output of the detectors in this file, for glimpsed replay.", valueName: "tape"))
    var record: String?

    @Option(
        help: ArgumentHelp(
            "Store the pictures of [snapshot] and [search] in this folder, and clips in its folder clips.",
            valueName: "folder"))
    var pictures: String?

    @Flag(help: "Add the stage times of each frame to track lines (stages_us). This output is not reproducible.")
    var stages = false

    @Flag(help: "Add a frame line for each frame that a detector has processed, with its number of tracks.")
    var frames = false

    @Flag(
        help:
            "Add explain lines: the reason why a detection was not tracked, or why a track ended. Detectors without a track are named on standard error."
    )
    var explain = false

    func validate() throws {
        if record != nil, stages {
            throw ValidationError("--stages and --record exclude each other: a tape contains no measured times")
        }
    }

    func run() throws {
        let settings: PipelineSettings
        do {
            settings = try PipelineSettings.load(file: file, source: source, overrides: overrides.pairs) { warning in
                say("warning: \(warning)")
            }
        } catch {
            say(error.description)
            throw ExitStatus.configuration
        }
        let run = PipelineAssembly(
            settings, resources: .ofThisProcess(),
            pictures: pictures.map { .folder(FilePath.absolute($0)) } ?? .inMemory, clips: clips(settings),
            starters: ProgramHost.hosts(of: settings))
        let recorder = try record.map { try makeRecorder($0, run, settings) }
        let signals = Signals { run.stop(.shutdown) }
        run.write(frames ? .frames : [])
        var progress = Progress()
        var metrics = run.metrics
        let tracks = TrackCounts(next: LineCounter(next: StandardOutput { run.stop(.shutdown) }))
        let outcome = withExtendedLifetime(signals) {
            run.run(
                into: tracks, stages: stages, explain: explain,
                recorder: recorder, complain: { say("glimpsed: \($0)") },
                didProcess: {
                    progress.processed($0)
                    if explain { metrics = run.metrics }
                })
        }
        recorder?.finish()
        progress.finish()
        if explain {
            for lane in metrics.lanes where tracks.count(of: lane.detector) == 0 && lane.smallFaces == nil {
                say("glimpsed: \(tracks.summary(of: lane, in: settings))")
            }
        }
        if case .failed(let error) = outcome {
            say("glimpsed: \(error.description)")
            throw ExitStatus(error)
        }
    }

    /// The folder for clips, whose parent is created.
    private func clips(_ settings: PipelineSettings) -> ClipPlace? {
        guard let pictures, settings.clip != nil else { return nil }
        let folder = FilePath.absolute(pictures)
        // The user of the folder reports an error of this call.
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return ClipPlace(folder: "\(folder)/clips")
    }

    private func makeRecorder(_ tape: String, _ run: PipelineAssembly, _ settings: PipelineSettings) throws
        -> TapeRecorder
    {
        do {
            // The pipeline's name may come from the file name.
            let name = (key: "name", value: settings.name)
            let text = try PipelineSettings.textWithoutSource(of: file, overrides: overrides.pairs + [name])
            return try run.makeRecorder(tape, configuration: text, explain: explain) { say("glimpsed: \($0)") }
        } catch let error as ConfigurationErrors {
            say(error.description)
            throw ExitStatus.configuration
        } catch let error as TapeError {
            say("glimpsed: \(error)")
            throw ExitStatus.failed
        }
    }
}
