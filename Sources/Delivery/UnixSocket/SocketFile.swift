// SPDX-License-Identifier: Apache-2.0
import Glibc
import SocketAddresses

/// A Unix socket's name in the file system, from bind to unlink.
package struct SocketFile: Sendable {
    package let path: String
    private let device: dev_t
    private let inode: ino_t

    package struct Listening {
        /// nil if another process created the name and will unlink it.
        package var file: SocketFile?
        /// A listening, non-blocking descriptor, closed on exec. The caller owns it.
        package var descriptor: CInt
        /// Settings that could not be applied, but do not prevent service.
        package var warnings: [String]
    }

    /// Binds and listens. Mode and group are set before the first connection can be made.
    ///
    /// - Parameters:
    ///   - group: a name or a number; empty leaves the group unchanged.
    ///   - setting: the configuration key of the path, for error messages.
    /// - Throws: `SocketError`.
    package static func listen(
        path: String, mode: UInt32, group: String, setting: String
    ) throws(SocketError) -> Listening {
        guard !path.isEmpty else { throw SocketError("cannot serve a socket without a path; set \(setting)") }
        guard let address = UnixAddress(path: path) else {
            throw SocketError(
                "cannot serve \(path): the path is \(path.utf8.count) bytes long, a Unix socket's at most "
                    + "\(UnixAddress.maximumPathBytes); set \(setting) to a shorter one")
        }
        try removeStale(path, address, setting)
        let descriptor = try makeSocket()
        do throws(SocketError) {
            guard address.with({ bind(descriptor, $0, $1) }) == 0 else { throw cannotBind(path, setting, errno) }
            var status = stat()
            guard lstat(path, &status) == 0 else { throw SocketError("cannot serve \(path): \(words(errno))") }
            let file = SocketFile(path: path, device: status.st_dev, inode: status.st_ino)
            var warnings: [String] = []
            if !group.isEmpty, let warning = setGroup(group, path) { warnings.append(warning) }
            guard chmod(path, mode) == 0, Glibc.listen(descriptor, SOMAXCONN) == 0 else {
                file.remove()
                throw SocketError("cannot serve \(path): \(words(errno))")
            }
            return Listening(file: file, descriptor: descriptor, warnings: warnings)
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Takes over a socket on which the service manager listens. The manager sets its name, mode and group.
    ///
    /// - Parameters:
    ///   - descriptor: listening and non-blocking.
    ///   - path: the path in the configuration, which clients on this machine use.
    package static func adopt(_ descriptor: CInt, path: String, setting: String) -> Listening {
        let bound = UnixAddress.path(of: descriptor)
        let warnings =
            bound == path
            ? []
            : [
                "the service manager's socket is \(bound ?? "without a path"), but \(setting) is \(path); set both to one path"
            ]
        return Listening(file: nil, descriptor: descriptor, warnings: warnings)
    }

    /// Unlinks the name if it is still the bound socket.
    package func remove() {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_dev == device, status.st_ino == inode else { return }
        unlink(path)
    }

    // MARK: Steps

    /// Removes a socket left by a dead process, and nothing else.
    private static func removeStale(
        _ path: String, _ address: UnixAddress, _ setting: String
    ) throws(SocketError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw cannotBind(path, setting, errno) }
            return
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw SocketError("cannot serve \(path): the path exists and is not a socket")
        }
        let probe = try makeSocket()
        defer { close(probe) }
        if address.with({ connect(probe, $0, $1) }) == 0 || errno == EAGAIN {
            throw SocketError(
                "cannot serve \(path): already served by another process; stop it, or set \(setting) to another path"
            )
        }
        guard errno == ECONNREFUSED else { throw SocketError("cannot serve \(path): \(words(errno))") }
        unlink(path)
    }

    private static func makeSocket() throws(SocketError) -> CInt {
        let type = CInt(bitPattern: SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw SocketError("cannot create a socket: \(words(errno))") }
        return descriptor
    }

    /// - Returns: a warning if the group could not be set; nil on success.
    private static func setGroup(_ group: String, _ path: String) -> String? {
        guard let id = gid_t(group) ?? getgrnam(group)?.pointee.gr_gid else {
            return "unknown group \(group): \(path) keeps the daemon's own group"
        }
        guard chown(path, uid_t.max, id) == 0 else {
            return "cannot set the group of \(path) to \(group): \(words(errno))"
        }
        return nil
    }

    private static func cannotBind(_ path: String, _ setting: String, _ code: CInt) -> SocketError {
        switch code {
        case ENOENT, ENOTDIR:
            let folder = path.split(separator: "/").dropLast().joined(separator: "/")
            return SocketError(
                "cannot serve \(path): the directory \(path.hasPrefix("/") ? "/" : "")\(folder) does not exist; create it, or set "
                    + "\(setting) to another path")
        case EACCES, EPERM:
            return SocketError(
                "cannot serve \(path): permission denied; set \(setting) to a path that this user may write")
        default:
            return SocketError("cannot serve \(path): \(words(code))")
        }
    }

    private static func words(_ code: CInt) -> String { String(cString: strerror(code)) }
}
