import Observations
import Search

/// The commands of the control socket.
package enum ControlCommand: Sendable, Equatable {
    case status
    case reload(dryRun: Bool)
    /// The value is the pipeline's name.
    case pause(String)
    case resume(String)
    case restart(String)
    /// Reports only one track of a detector. Without a track, the focus from the pipeline's file applies again.
    case focus(pipeline: String, detector: String, track: UInt64?)
    /// Takes a picture of the pipeline's next frame.
    case snapshot(String, isCaptioned: Bool)
    /// Keeps a picture; the value is its file.
    case accept(String)
    /// Passes a command to a pipeline's live search.
    case search(SearchCommand, pipeline: String)
}

/// One line from a peer: a command, and an optional id for the reply.
package struct ControlRequest: Sendable, Equatable {
    /// The reason why a line is not a request, for the peer.
    package struct Invalid: Error, Equatable {
        package var reason: String

        package init(reason: String) {
            self.reason = reason
        }
    }

    /// An id that the reply repeats.
    package enum ID: Sendable, Equatable {
        case text(String)
        case number(Int64)
    }

    /// The longest request line in bytes, including its newline.
    package static let maximumBytes = 64 * 1024
    /// The longest id in UTF-8 bytes.
    static let maximumIDBytes = 256

    package var id: ID?
    package var command: Result<ControlCommand, Invalid>
}
