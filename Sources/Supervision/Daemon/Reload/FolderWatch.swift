import Dispatch
import Glibc

/// Tells when something changes in folders, once it has been quiet for a moment: an editor writes a file in several steps.
///
/// Folders, not files: a file that is replaced by another of its name is another file.
final class FolderWatch {
    /// What in the folders matters.
    enum Subject {
        /// Files that are written anew.
        case files
        /// Names that come and go, and who may open them. Not what is written: everybody writes to /dev/null.
        case devices

        fileprivate var events: UInt32 {
            let names = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB
            return switch self {
            case .files: UInt32(names | IN_CLOSE_WRITE)
            case .devices: UInt32(names)
            }
        }
    }

    /// From the last change to the call.
    static let quiet = DispatchTimeInterval.milliseconds(300)

    private let source: any DispatchSourceRead

    /// - Parameters:
    ///   - folders: those that are not there are passed over.
    ///   - changed: on a queue of the watch's own.
    /// - Returns: nil when the system has no watches left, or none of the folders is there.
    init?(_ folders: Set<String>, for subject: Subject, changed: @escaping @Sendable () -> Void) {
        let descriptor = inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        let watches = folders.filter { inotify_add_watch(descriptor, $0, subject.events) >= 0 }
        guard !watches.isEmpty else {
            close(descriptor)
            return nil
        }
        let queue = DispatchQueue(label: "glimpsed.watch")
        let quietTimer = DispatchSource.makeTimerSource(queue: queue)
        quietTimer.setEventHandler(handler: changed)
        quietTimer.activate()
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            // What changed does not matter: everything is read again.
            withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
                while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
            }
            quietTimer.schedule(deadline: .now() + Self.quiet)
        }
        source.setCancelHandler {
            quietTimer.cancel()
            close(descriptor)
        }
        source.activate()
    }

    deinit { source.cancel() }
}
