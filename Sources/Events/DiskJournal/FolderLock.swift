import Glibc
import Synchronization

/// One journal for each folder, one daemon for each journal: flock(2) on a file beside the database.
final class FolderLock: Sendable {
    private let path: String
    private let descriptor = Mutex<CInt>(-1)

    init(folder: String) {
        path = "\(folder)/journal.lock"
    }

    /// Takes it, if it is not taken yet.
    ///
    /// - Throws: `JournalError` while another process has it, or when the folder cannot be written.
    func take() throws(JournalError) {
        let problem: JournalError? = descriptor.withLock { descriptor in
            guard descriptor < 0 else { return nil }
            let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o640)
            guard opened >= 0 else { return JournalError("cannot open \(path): \(words(errno))") }
            guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
                close(opened)
                return JournalError("\(path) is another process's: give this daemon a daemon.state_dir of its own")
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

/// A file's bytes, if there are not too many.
enum BoundedBytes {
    static func read(_ path: String, limit: Int) throws(JournalError) -> [UInt8] {
        guard let file = fopen(path, "r") else { throw JournalError("cannot read \(path): \(words(errno))") }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = fread(&bytes, 1, limit, file)
        return Array(bytes.prefix(count))
    }
}
