import ArgumentParser

struct PauseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "End a pipeline's worker until it is resumed; its camera is free then.",
        discussion: """
            Its tracks end with reason "shutdown".

            Example:
              glimpsed pause front-door

            Exit status: 0 when it is paused, 1 when it cannot be, 69 when there is no daemon.
            """)

    @OptionGroup var options: ControlOptions
    @Argument(help: "The pipeline's name.") var pipeline: String

    func run() throws {
        _ = try options.command(ControlRequestLine("pause", ["pipeline": pipeline]))
        say("\(pipeline): paused")
    }
}

struct ResumeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Start a pipeline that is paused, disabled, or waits for its next try.",
        discussion: """
            Example:
              glimpsed resume front-door

            Exit status: 0 when it has a worker, 1 when there is nothing to resume, 69 when there is no daemon.
            """)

    @OptionGroup var options: ControlOptions
    @Argument(help: "The pipeline's name.") var pipeline: String

    func run() throws {
        _ = try options.command(ControlRequestLine("resume", ["pipeline": pipeline]))
        say("\(pipeline): resumed")
    }
}

struct RestartCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restart", abstract: "Give a pipeline a new worker.",
        discussion: """
            Its tracks end with reason "shutdown". A file starts from its beginning.

            Example:
              glimpsed restart front-door

            Exit status: 0 when it has a new worker, 1 when it cannot have one, 69 when there is no daemon.
            """)

    @OptionGroup var options: ControlOptions
    @Argument(help: "The pipeline's name.") var pipeline: String

    func run() throws {
        _ = try options.command(ControlRequestLine("restart", ["pipeline": pipeline]))
        say("\(pipeline): restarted")
    }
}

struct FocusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "focus", abstract: "Report only one track of a detector.",
        discussion: """
            Without an id, the pipeline's configured focus is back.

            Examples:
              glimpsed focus front-door face 12
              glimpsed focus front-door face

            Exit status: 0 when the worker was told, 1 when it cannot be, 69 when there is no daemon.
            """)

    @OptionGroup var options: ControlOptions
    @Argument(help: "The pipeline's name.") var pipeline: String
    @Argument(help: "The detector's name: face, barcode.") var detector: String
    @Argument(help: "The track's id, as events give it.") var id: String?

    func run() throws {
        _ = try options.command(
            ControlRequestLine("focus", ["pipeline": pipeline, "detector": detector, "id": id]))
        say("\(pipeline): \(detector): \(id.map { "only track \($0)" } ?? "the configured focus")")
    }
}

struct AcceptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Keep a picture that would be deleted soon (snapshot.save = \"accepted\").",
        discussion: """
            It is kept as long as the limits of its pipeline's [snapshot] allow.

            Example:
              glimpsed accept /var/lib/glimpsed/snapshots/door/20261120T080000.123456789Z-face-7-best.jpg

            Exit status: 0 when it is kept, 1 when it is no picture of this daemon, 69 when there is no daemon.
            """)

    @OptionGroup var options: ControlOptions
    @Argument(help: "The picture's file, as its snapshot line names it.") var file: String

    func run() throws {
        _ = try options.command(ControlRequestLine("accept", ["file": file]))
        say("\(file): kept")
    }
}

struct SnapshotCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot", abstract: "Write a pipeline's newest frame as a picture, and say where.",
        discussion: """
            A JPEG file, upright, under the daemon's state_dir, with NAME.json beside it; the next one takes its place.

            Examples:
              glimpsed snapshot front-door
              glimpsed snapshot front-door --caption

            Exit status: 0 when the picture is there, 1 when there is none, 69 when there is no daemon.
            """)

    @OptionGroup var options: ControlOptions
    @Argument(help: "The pipeline's name.") var pipeline: String
    @Flag(help: "Burn the pipeline's name and the time in.") var caption = false

    func run() throws {
        let request = ControlRequestLine("snapshot") { json in
            json.member("pipeline", pipeline)
            if caption { json.member("caption", true) }
        }
        let reply = try options.command(request)
        try StandardOutput.write(Array("\(reply.file ?? "")\n".utf8))
    }
}
