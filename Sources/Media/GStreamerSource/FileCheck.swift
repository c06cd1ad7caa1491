// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import Frames

/// Says in words what is wrong with a path, before the media library says it in its own.
enum FileCheck {
    static func file(_ path: String) throws(SourceError) {
        let status = try status(path)
        switch status.st_mode & S_IFMT {
        case S_IFDIR: throw SourceError(.unreadable, "\(path): is a folder, not a file")
        case S_IFREG:
            if status.st_size == 0 { throw SourceError(.unreadable, "\(path): the file is empty") }
        default: throw SourceError(.unreadable, "\(path): is not a regular file")
        }
        try readable(path)
    }

    static func device(_ path: String) throws(SourceError) {
        let status = try status(path)
        guard status.st_mode & S_IFMT == S_IFCHR else {
            throw SourceError(.unreadable, "\(path): is not a camera device")
        }
        guard access(path, R_OK | W_OK) == 0 else {
            throw SourceError(.forbidden, "\(path): \(reason()); add the user to the group \"video\"")
        }
    }

    private static func status(_ path: String) throws(SourceError) -> stat {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let kind: SourceError.Kind = errno == ENOENT || errno == ENOTDIR ? .missing : .forbidden
            throw SourceError(kind, "\(path): \(reason())")
        }
        return status
    }

    private static func readable(_ path: String) throws(SourceError) {
        guard access(path, R_OK) == 0 else { throw SourceError(.forbidden, "\(path): \(reason())") }
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}
