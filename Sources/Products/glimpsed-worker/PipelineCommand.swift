import ArgumentParser
import Assembly
import Frames
import Installation
import Settings
import Tapes

struct PipelineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pipeline", abstract: "Run one pipeline in the foreground; events go to standard output.",
        usage:
            "glimpsed pipeline <file> [--source <path-or-uri>] [--set <key=value>] ... [--record <tape>] [--pictures <folder>] [--stages] [--frames] [--explain]",
        discussion: """
            Examples:
              glimpsed pipeline pipelines/webcam.toml | jq .
              glimpsed pipeline pipelines/file.toml --source clip.mp4
              glimpsed pipeline pipelines/webcam.toml --set face.min_size=0.05
              glimpsed pipeline pipelines/webcam.toml --record door.tape

            Files are processed frame by frame as fast as this machine can, and the same \
            file gives the same lines.

            A tape holds what the detectors saw and no pictures; glimpsed replay makes the same lines of it again.

            Exit status: 0 at the end of the stream, 1 when the source failed, 66 when it is \
            missing, 69 when something has to be installed, 78 when the configuration is wrong.
            """)

    @Argument(help: "The pipeline's configuration file.")
    var file: String

    @Option(help: ArgumentHelp("Use this source instead of the file's [source].", valueName: "path-or-uri"))
    var source: String?

    @OptionGroup var overrides: Overrides

    @Option(help: ArgumentHelp("Record what the detectors see, for glimpsed replay.", valueName: "tape"))
    var record: String?

    @Option(help: ArgumentHelp("Keep the pictures of [snapshot] and [search] in this folder.", valueName: "folder"))
    var pictures: String?

    @Flag(help: "Add stages_us to track lines: where each frame's time went. Such output is not reproducible.")
    var stages = false

    @Flag(help: "Add a frame line for each frame that a detector has processed: how much it has in view.")
    var frames = false

    @Flag(help: "Add explain lines: why a detection was not tracked, and why a track ended.")
    var explain = false

    func validate() throws {
        if record != nil, stages {
            throw ValidationError("--stages and --record do not go together: a tape holds nothing measured")
        }
    }

    func run() throws {
        let settings: PipelineSettings
        do {
            settings = try PipelineSettings.load(file: file, source: source, overrides: overrides.pairs)
        } catch {
            say(error.description)
            throw ExitStatus.configuration
        }
        let run = PipelineAssembly(
            settings, resources: .ofThisProcess(),
            pictures: pictures.map { .folder(FilePath.absolute($0)) } ?? .inMemory)
        let recorder = try record.map { try makeRecorder($0, run, settings) }
        let signals = Signals { run.stop(.shutdown) }
        run.tellOfFrames(frames)
        var progress = Progress()
        let outcome = withExtendedLifetime(signals) {
            run.run(
                into: StandardOutput { run.stop(.shutdown) }, stages: stages, explain: explain,
                recorder: recorder, complain: { say("glimpsed: \($0)") },
                didProcess: { progress.processed($0) })
        }
        recorder?.finish()
        progress.finish()
        if case .failed(let error) = outcome {
            say("glimpsed: \(error.description)")
            throw ExitStatus(error)
        }
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
