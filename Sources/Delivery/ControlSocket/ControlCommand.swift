import Observations
import Search

/// What a peer may ask for.
package enum ControlCommand: Sendable, Equatable {
    case status
    case reload(dryRun: Bool)
    /// The pipeline's name.
    case pause(String)
    case resume(String)
    case restart(String)
    /// Reports only one track of a detector; nil: what the pipeline's file says again.
    case focus(pipeline: String, detector: String, track: UInt64?)
    /// A picture of the pipeline's newest frame.
    case snapshot(String, isCaptioned: Bool)
    /// A picture that is kept: its file.
    case accept(String)
    /// Something for a pipeline's live search.
    case search(SearchCommand, pipeline: String)
}

/// One line from a peer: a command, and perhaps a name for the reply.
package struct ControlRequest: Sendable, Equatable {
    /// Why a line is no request, for the peer to read.
    package struct Invalid: Error, Equatable {
        package var reason: String

        package init(reason: String) {
            self.reason = reason
        }
    }

    /// Echoed in the reply.
    package enum ID: Sendable, Equatable {
        case text(String)
        case number(Int64)
    }

    /// No longer line is read, its newline included.
    package static let maximumBytes = 64 * 1024
    /// UTF-8 bytes of the longest id.
    static let maximumIDBytes = 256

    package var id: ID?
    package var command: Result<ControlCommand, Invalid>
}
