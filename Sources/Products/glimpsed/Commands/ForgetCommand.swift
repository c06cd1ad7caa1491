// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Daemon
import DiskJournal
import EventLog
import FoundationEssentials
import JSONLines
import Logging
import Observations
import Settings

struct ForgetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Remove recorded data: events, history, pictures, clips, crash frames, tapes.",
        discussion: """
            --all selects all data. Without --all, give at least one condition; data must meet all of them.

            Examples:
              glimpsed forget --all
              glimpsed forget --pipeline front-door --before 30d
              glimpsed forget --pipeline front-door --detector face --track 12

            The command asks the daemon. If no daemon is running, the command removes the data from the state folder itself. \
            Data that a subscriber has received are not removed. A camera in use records new data at once. The command can be \
            repeated after an interruption.

            A time is the time of recording. Pictures of whole frames, clips, crash frames, tapes and old databases do not belong to \
            one track: --detector and --track keep them. --pipeline keeps tapes and old databases too.

            Exit status: 0 the data are removed, 1 not all data could be removed or the daemon refused the command.
            """)

    @OptionGroup var options: ControlOptions
    @Flag(help: "Remove all data of all pipelines.") var all = false
    @Option(help: ArgumentHelp("Remove only data of this pipeline.", valueName: "pipeline")) var pipeline: String?
    @Option(
        help: ArgumentHelp(
            "Remove only data recorded before this time: a date, a time (RFC 3339, default UTC), or a duration before now (90s, 2h, 7d).",
            valueName: "time"))
    var before: String?
    @Option(help: ArgumentHelp("Remove only data of this detector.", valueName: "detector")) var detector: String?
    @Option(help: ArgumentHelp("Remove only data of the track with this id.", valueName: "id")) var track: String?
    @Flag(help: "Print the numbers as one line of JSON.") var json = false

    func validate() throws {
        let isNarrowed = pipeline != nil || before != nil || detector != nil || track != nil
        guard all != isNarrowed else {
            throw ValidationError("select data with --all, or with any of --pipeline, --before, --detector and --track")
        }
        if let before, TimeText.parse(before) == nil {
            throw ValidationError("\"\(before)\" is not a time; valid forms are \(TimeText.forms)")
        }
        if let track {
            guard UInt64(track) ?? 0 > 0 else { throw ValidationError("\"\(track)\" is not a track's id") }
            guard detector != nil else { throw ValidationError("--track requires --detector") }
        }
    }

    func run() throws {
        let selection = ForgetSelection(
            pipeline: pipeline, before: before.flatMap(TimeText.parse), detector: detector,
            track: track.flatMap { UInt64($0) })
        let path = try options.socket ?? daemonSettings(options.config).control.socket
        let counts: ForgottenCounts
        if DaemonConnection.isAbsent(path) {
            say("glimpsed: the daemon is not running; removing the data from its state folder")
            counts = try forgetStopped(selection)
        } else {
            counts = try ask(selection)
        }
        if json {
            var line = JSONWriter()
            line.object { json in
                for (name, count) in counts.members { json.member(dynamicKey: name, UInt64(count)) }
            }
            try StandardOutput.write(line.bytes + [UInt8(ascii: "\n")])
        } else {
            say(counts.text)
            if counts.kept > 0 {
                say("\(counts.kept) tapes and old databases were kept: --all removes them")
            }
        }
    }

    private func ask(_ selection: ForgetSelection) throws -> ForgottenCounts {
        let request = ControlRequestLine("forget") { json in
            if all { json.member("all", true) }
            if let pipeline { json.member("pipeline", pipeline) }
            if let before = selection.before { json.member("before", before.rfc3339) }
            if let detector { json.member("detector", detector) }
            if let track { json.member("track", track) }
        }
        return try ForgottenCounts(reply: options.command(request).bytes)
    }

    private func forgetStopped(_ selection: ForgetSelection) throws -> ForgottenCounts {
        let settings = try daemonSettings(options.config)
        let folder = settings.daemon.stateDirectory
        do {
            let stored = try DiskJournal.forgetStopped(
                selection, folder: folder,
                limits: .init(settings.retention, bytes: settings.retention.events.size ?? 1 << 50),
                logger: Logger(label: "glimpsed", factory: { _ in SwiftLogNoOpLogHandler() }))
            var counts = try StateFiles.forget(selection, folder: folder).get()
            (counts.events, counts.history) = stored
            return counts
        } catch {
            say("glimpsed: not all data were removed: \(error)")
            throw ExitCode.failed
        }
    }
}

extension ForgottenCounts {
    /// The numbers of a reply of the daemon.
    fileprivate init(reply: [UInt8]) throws {
        struct Reply: Decodable {
            var events: UInt64
            var history, pictures, clips, crash_frames, tapes, databases, kept: Int
        }
        let reply = try JSONDecoder().decode(Reply.self, from: Data(reply))
        self.init()
        (events, history, pictures, clips) = (reply.events, reply.history, reply.pictures, reply.clips)
        (crashFrames, tapes, databases, kept) = (reply.crash_frames, reply.tapes, reply.databases, reply.kept)
    }
}
