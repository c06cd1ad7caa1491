// SPDX-License-Identifier: Apache-2.0
import Glibc
import Synchronization

/// Makes sure that one folder has one journal and one daemon: flock(2) on a file beside the database.
final class FolderLock: Sendable {
    private let path: String
    private let descriptor = Mutex<CInt>(-1)

    init(folder: String) {
        path = "\(folder)/journal.lock"
    }

    /// Takes the lock unless this process already has it.
    ///
    /// - Throws: `JournalError` if another process has the lock, or the folder is not writable.
    func take() throws(JournalError) {
        let problem: JournalError? = descriptor.withLock { descriptor in
            guard descriptor < 0 else { return nil }
            let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
            guard opened >= 0 else { return JournalError("cannot open \(path): \(words(errno))") }
            guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
                close(opened)
                return JournalError("\(path) is locked by another process: give this daemon its own daemon.state_dir")
            }
            descriptor = opened
            return nil
        }
        if let problem { throw problem }
    }

    func release() {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }
}

/// Reads a file up to a limit.
enum BoundedBytes {
    static func read(_ path: String, limit: Int) throws(JournalError) -> [UInt8] {
        guard let file = fopen(path, "r") else { throw JournalError("cannot read \(path): \(words(errno))") }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = fread(&bytes, 1, limit, file)
        return Array(bytes.prefix(count))
    }
}
