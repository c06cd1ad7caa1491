// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Glibc

/// Reports changes in folders after a short quiet period, because an editor writes a file in several steps.
///
/// It watches folders and not files, because a replaced file is a different file under an unchanged name.
final class FolderWatch {
    /// The kind of changes to report.
    enum Subject {
        /// Written, created, removed and renamed files.
        case files
        /// Created, removed and renamed names, and changed permissions. Writes are ignored, because many processes
        /// write to /dev/null.
        case devices

        fileprivate var events: UInt32 {
            let names = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB
            return switch self {
            case .files: UInt32(names | IN_CLOSE_WRITE)
            case .devices: UInt32(names)
            }
        }
    }

    /// The time from the last change to the call.
    static let quiet = DispatchTimeInterval.milliseconds(300)

    private let source: any DispatchSourceRead

    /// - Parameters:
    ///   - folders: the folders to watch; absent folders are skipped.
    ///   - changed: called on the watch's own queue.
    /// - Returns: nil if the system has no more watches, or no folder exists.
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
            // The kind of change does not matter, because everything is read again.
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
