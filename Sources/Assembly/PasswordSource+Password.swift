#if canImport(Glibc)
    import Glibc
#endif
import Frames
import Installation
import Settings

extension PasswordSource {
    /// The longest line that counts as a password, in bytes.
    private static let limit = 1024

    /// The password itself: read at the last moment, and never part of an error.
    package func password(environment: (String) -> String? = ResourceFolders.variable) throws(SourceError) -> String {
        switch self {
        case .environment(let name):
            guard let value = environment(name) else {
                throw SourceError(
                    .missing, "the environment has no variable \(name), which should hold the camera's password")
            }
            return value
        case .file(let path): return try Self.firstLine(of: path)
        case .credential(let name):
            guard let folder = environment("CREDENTIALS_DIRECTORY") else {
                throw SourceError(
                    .missing, "no systemd credentials here: this is no service of systemd's; use password_file")
            }
            let files = Self.credentialFiles(name, in: folder)
            guard let file = files.first(where: { path in access(path, F_OK) == 0 }) else {
                throw SourceError(
                    .missing,
                    "no credential \(name): put the password into /etc/glimpsed/credentials/\(name), "
                        + "and start the service again")
            }
            return try Self.firstLine(of: file)
        }
    }

    private static func firstLine(of path: String) throws(SourceError) -> String {
        // Not blocking: opening a pipe that nobody writes to would never return.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw SourceError(errno == ENOENT ? .missing : .forbidden, "password file \(path): \(reason())")
        }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: limit + 1)
        let count = read(descriptor, &buffer, buffer.count)
        guard count >= 0 else { throw SourceError(.unreadable, "password file \(path): \(reason())") }
        let line = buffer[..<count].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty else { throw SourceError(.unreadable, "password file \(path): its first line is empty") }
        guard line.count <= limit, !line.contains(0), let password = String(validating: line, as: UTF8.self) else {
            throw SourceError(.unreadable, "password file \(path): its first line is no text of at most \(limit) bytes")
        }
        return password
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}
