#if canImport(Glibc)
    import Glibc
#endif
import Frames
import Installation
import Settings

extension PasswordSource {
    /// The longest line accepted as a password, in bytes.
    private static let limit = 1024

    /// The password. It is read as late as possible, and is never part of an error.
    ///
    /// - Parameters:
    ///   - noun: the kind of secret, for messages.
    ///   - owner: the owner of the secret, for messages.
    package func password(
        _ noun: String = "password", of owner: String = "the camera",
        environment: (String) -> String? = ResourceFolders.variable
    ) throws(SourceError) -> String {
        switch self {
        case .environment(let name):
            guard let value = environment(name) else {
                throw SourceError(
                    .missing, "the environment variable \(name) for \(owner)'s \(noun) is not set")
            }
            return value
        case .file(let path): return try Self.firstLine(of: path, noun)
        case .credential(let name):
            guard let folder = environment("CREDENTIALS_DIRECTORY") else {
                throw SourceError(
                    .missing, "no systemd credentials: this process is not a systemd service; use \(noun)_file")
            }
            guard let file = files(credentials: folder).first(where: { path in access(path, F_OK) == 0 }) else {
                throw SourceError(
                    .missing,
                    "no credential \(name): put the \(noun) into /etc/glimpsed/credentials/\(name), "
                        + "and restart the service")
            }
            return try Self.firstLine(of: file, noun)
        }
    }

    private static func firstLine(of path: String, _ noun: String) throws(SourceError) -> String {
        // Opens without blocking, because opening a pipe without a writer would never return.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw SourceError(errno == ENOENT ? .missing : .forbidden, "\(noun) file \(path): \(reason())")
        }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: limit + 1)
        let count = read(descriptor, &buffer, buffer.count)
        guard count >= 0 else { throw SourceError(.unreadable, "\(noun) file \(path): \(reason())") }
        let line = buffer[..<count].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty else { throw SourceError(.unreadable, "\(noun) file \(path): its first line is empty") }
        guard line.count <= limit, !line.contains(0), let password = String(validating: line, as: UTF8.self) else {
            throw SourceError(.unreadable, "\(noun) file \(path): its first line is not text of at most \(limit) bytes")
        }
        return password
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}
