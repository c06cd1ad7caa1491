// SPDX-License-Identifier: Apache-2.0
/// Where frames come from. Used by one thread.
public protocol FrameSource: AnyObject {
    /// Starts the flow. Throws when it is certain that nothing will ever come.
    func start() throws(SourceError)

    /// The next thing to know, waiting for it at most `timeout`.
    func next(timeout: Duration) -> SourceOutput

    /// Ends the flow and gives back what it holds. Frames already handed out stay valid.
    func stop()
}

/// A source that may have something to say about itself.
package protocol RemarkingSource: FrameSource {
    /// A remark for people; nil after it has been taken.
    func takeRemark() -> String?
}

/// The answer of a source to `next`.
public enum SourceOutput: Sendable {
    /// A frame, upright.
    case frame(Frame)
    /// Nothing within the time-out.
    case nothing
    /// A file or a counted test source is over. The end of a live source is a failure.
    case ended
    /// The source cannot go on.
    case failed(SourceError)
}

/// Why a source cannot go on: what failed, why, and what to do. Secrets are taken out before it is made.
public struct SourceError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds that exit statuses and retries tell apart.
    public enum Kind: Sendable, Equatable {
        /// A file, folder or device that is not there.
        case missing
        /// There, but not for this user.
        case forbidden
        /// Not a picture or video, or damaged beyond use.
        case unreadable
        /// An element or codec that this machine lacks.
        case notInstalled
        /// A `launch` text that makes no source.
        case misconfigured
        /// Everything else: devices that are busy, networks that fail.
        case failed
    }

    /// For exit statuses and retries.
    public var kind: Kind
    /// For people, in one line.
    public var description: String

    /// An error that says what failed, why, and what to do.
    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
