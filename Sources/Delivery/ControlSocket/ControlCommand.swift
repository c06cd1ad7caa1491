// SPDX-License-Identifier: Apache-2.0
import DiskJournal
import EventLog
import MetricsText
import Observations
import Search

/// The commands of the control socket.
package enum ControlCommand: Sendable, Equatable {
    /// With `layout`: also the zones, lines and masks of each pipeline.
    case status(layout: Bool)
    case metrics(MetricsFormat)
    case reload(dryRun: Bool)
    /// The value is the pipeline's name.
    case pause(String)
    case resume(String)
    case restart(String)
    /// Reports only one track of a detector. Without a track, the focus from the pipeline's file applies again.
    case focus(pipeline: String, detector: String, track: UInt64?)
    /// Takes a picture of the pipeline's next frame.
    case snapshot(String, isCaptioned: Bool)
    /// Turns the connection into a stream of the pipeline's pictures.
    case view(PictureView)
    /// Lists entries of the history.
    case history(History.Query)
    /// Turns the connection into the bytes of a stored picture. The viewer is the person for whom the peer asks, for
    /// the log; nil if the peer names none.
    case picture(StoredPicture, viewer: String?)
    /// Lists clips.
    case clips(ClipQuery)
    /// Turns the connection into the bytes of a clip's file, for a viewer as above.
    case clip(ClipFile, viewer: String?)
    /// Keeps a picture; the value is its file.
    case accept(String)
    /// Removes stored data.
    case forget(ForgetSelection)
    /// Passes a command to a pipeline's live search.
    case search(SearchCommand, pipeline: String)
}

/// The pictures that a peer asks for.
package struct PictureView: Sendable, Equatable {
    package var pipeline: String
    /// Whether the peer asks for the camera's own video.
    package var isVideo = false
    /// The highest width of pictures in pixels.
    package var width: Int
    /// The highest number of pictures a second.
    package var rate: Int
    /// The person for whom the peer asks, for the log; nil if the peer names none.
    package var viewer: String?
}

/// The place of an event in a run.
package struct HistoryPlace: Sendable, Equatable {
    package var runID: String
    package var sequence: UInt64
}

/// The name of a stored picture.
package enum StoredPicture: Sendable, Equatable {
    /// By the event that made it.
    case entry(HistoryPlace)
    /// By the path in its `snapshot` line.
    case file(String)
}

/// The clips that a peer asks for.
package struct ClipQuery: Sendable, Equatable {
    /// nil selects all.
    package var pipeline: String?
    /// Selects clips that begin at this time or later.
    package var since: Timestamp?
    /// Selects clips that begin before this time.
    package var until: Timestamp?
    package var limit: Int
}

/// A file of a clip.
package struct ClipFile: Sendable, Equatable {
    package var pipeline: String
    /// The clip's file without its suffix.
    package var name: String
    /// Whether the file with the clip's events is meant, not the video.
    package var isEvents: Bool
}

extension ControlCommand {
    /// The commands as lines name them.
    static let names = [
        "status", "metrics", "reload", "pause", "resume", "restart", "focus", "snapshot", "accept", "forget", "search",
        "dismiss", "retry", "select", "result", "view", "history", "picture", "clips", "clip",
    ]

    /// Reads the members of the command with this name, one of `names`.
    init(_ name: String, _ members: inout CommandMembers) throws(ControlRequest.Invalid) {
        self =
            switch name {
            case "status": .status(layout: try members.flag("layout"))
            case "metrics": .metrics(try members.metricsFormat())
            case "reload": .reload(dryRun: try members.flag("dry_run"))
            case "pause": .pause(try members.text("pipeline"))
            case "resume": .resume(try members.text("pipeline"))
            case "restart": .restart(try members.text("pipeline"))
            case "focus":
                .focus(
                    pipeline: try members.text("pipeline"), detector: try members.text("detector"),
                    track: try members.track("id"))
            case "snapshot":
                .snapshot(try members.text("pipeline"), isCaptioned: try members.flag("caption"))
            case "history": .history(try members.historyQuery())
            case "picture":
                .picture(
                    members.has("file")
                        ? .file(try members.text("file"))
                        : .entry(
                            HistoryPlace(
                                runID: try members.text("run_id"), sequence: try members.sequenceNumber("seq"))),
                    viewer: try members.label("viewer"))
            case "clips": .clips(try members.clipQuery())
            case "clip":
                .clip(
                    ClipFile(
                        pipeline: try members.text("pipeline"), name: try members.text("name"),
                        isEvents: try members.flag("events")),
                    viewer: try members.label("viewer"))
            case "accept": .accept(try members.text("file"))
            case "forget": .forget(try members.forgetSelection())
            case "search": .search(.search, pipeline: try members.text("pipeline"))
            case "dismiss": .search(.dismiss, pipeline: try members.text("pipeline"))
            case "retry": .search(.retry, pipeline: try members.text("pipeline"))
            case "select": .search(try members.selection(), pipeline: try members.text("pipeline"))
            case "view":
                .view(
                    PictureView(
                        pipeline: try members.text("pipeline"), isVideo: try members.isVideo("mode"),
                        width: try members.number("width", 1...8192, otherwise: 640),
                        rate: try members.number("rate", 1...30, otherwise: 10), viewer: try members.label("viewer")))
            default: .search(try members.answer(), pipeline: try members.text("pipeline"))
            }
    }
}
