// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct PauseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Stop a pipeline's worker and release its camera, until the pipeline is resumed.",
        discussion: """
            The pipeline's tracks end with reason "shutdown".

            Example:
              glimpsed pause front-door

            Exit status: 0 the pipeline is paused, 1 the daemon refused the command, 69 no daemon is running.
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
        commandName: "resume", abstract: "Start a paused or disabled pipeline, or retry a failed one at once.",
        discussion: """
            Example:
              glimpsed resume front-door

            Exit status: 0 the pipeline has a worker, 1 the daemon refused the command, 69 no daemon is running.
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
        commandName: "restart", abstract: "Replace a pipeline's worker with a new one.",
        discussion: """
            The pipeline's tracks end with reason "shutdown". A source that is a file starts from its beginning.

            Example:
              glimpsed restart front-door

            Exit status: 0 the pipeline has a new worker, 1 the daemon refused the command, 69 no daemon is running.
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
            Without an id, the focus from the pipeline's configuration applies again.

            Examples:
              glimpsed focus front-door face 12
              glimpsed focus front-door face

            Exit status: 0 the worker received the command, 1 the daemon refused the command, 69 no daemon is running.
            """)

    @OptionGroup var options: ControlOptions
    @Argument(help: "The pipeline's name.") var pipeline: String
    @Argument(help: "The detector's name, such as face or barcode.") var detector: String
    @Argument(help: "The track's id from its event lines.") var id: String?

    func run() throws {
        _ = try options.command(
            ControlRequestLine("focus", ["pipeline": pipeline, "detector": detector, "id": id]))
        say("\(pipeline): \(detector): \(id.map { "focus on track \($0)" } ?? "focus from the configuration")")
    }
}

struct AcceptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Keep a temporary picture (snapshot.save = \"accepted\").",
        discussion: """
            Pictures that are not accepted are deleted soon. An accepted picture is kept within the limits of its \
            pipeline's [snapshot].

            Example:
              glimpsed accept /var/lib/glimpsed/snapshots/door/20261120T080000.123456789Z-face-7-best.jpg

            Exit status: 0 the picture is kept, 1 the file is not a picture of this daemon, 69 no daemon is running.
            """)

    @OptionGroup var options: ControlOptions
    @Argument(help: "The path of the picture from its snapshot line.") var file: String

    func run() throws {
        _ = try options.command(ControlRequestLine("accept", ["file": file]))
        say("\(file): kept")
    }
}

struct SnapshotCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snapshot", abstract: "Write a pipeline's next frame to a picture file, and print its path.",
        discussion: """
            The picture is an upright JPEG file in the daemon's state_dir, with a NAME.json file beside it. The next snapshot \
            of the pipeline replaces both files.

            Examples:
              glimpsed snapshot front-door
              glimpsed snapshot front-door --caption

            Exit status: 0 the picture is written, 1 no picture was written, 69 no daemon is running.
            """)

    @OptionGroup var options: ControlOptions
    @Argument(help: "The pipeline's name.") var pipeline: String
    @Flag(help: "Draw the pipeline's name and the time into the picture.") var caption = false

    func run() throws {
        let request = ControlRequestLine("snapshot") { json in
            json.member("pipeline", pipeline)
            if caption { json.member("caption", true) }
        }
        let reply = try options.command(request)
        try StandardOutput.write(Array("\(reply.file ?? "")\n".utf8))
    }
}
