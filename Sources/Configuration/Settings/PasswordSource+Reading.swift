// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// The reason why a secret cannot be read. The secret is never part of it.
package struct PasswordProblem: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Kind: Sendable {
        case missing, forbidden, unreadable
    }

    package var kind: Kind
    package var description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}

extension PasswordSource {
    /// The file of the secret if users outside its group have a right to it.
    package var openFile: String? {
        guard case .file(let path) = self else { return nil }
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o007 != 0 ? path : nil
    }

    /// The file of the secret if it does not exist.
    var missingFile: String? {
        guard case .file(let path) = self else { return nil }
        var status = stat()
        return stat(path, &status) != 0 && errno == ENOENT ? path : nil
    }

    /// The longest line accepted as a password, in bytes.
    private static let limit = 1024

    /// Reads the password.
    ///
    /// - Parameters:
    ///   - noun: the kind of secret, for messages.
    ///   - owner: the owner of the secret, for messages.
    ///   - place: the folder of which the unit makes credentials.
    ///   - environment: returns the value of a variable.
    package func read(
        _ noun: String, of owner: String, place: CredentialPlace = .cameras, environment: (String) -> String?
    ) throws(PasswordProblem) -> String {
        switch self {
        case .environment(let name):
            guard let value = environment(name) else {
                throw .init(.missing, "the environment variable \(name) for \(owner)'s \(noun) is not set")
            }
            return value
        case .file(let path): return try Self.firstLine(of: path, noun)
        case .credential(let name):
            guard let folder = environment("CREDENTIALS_DIRECTORY") else {
                throw .init(
                    .missing, "no systemd credentials: this process is not a systemd service; use \(noun)_file")
            }
            guard let file = files(credentials: folder, place: place).first(where: { access($0, F_OK) == 0 }) else {
                throw .init(
                    .missing,
                    "no credential \(name): put the \(noun) into \(place.folder)/\(name), "
                        + "and restart the service")
            }
            return try Self.firstLine(of: file, noun)
        }
    }

    private static func firstLine(of path: String, _ noun: String) throws(PasswordProblem) -> String {
        // Opens without blocking, because opening a pipe without a writer would never return.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw .init(errno == ENOENT ? .missing : .forbidden, "\(noun) file \(path): \(reason())")
        }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: limit + 1)
        let count = Self.read(descriptor, &buffer)
        guard count >= 0 else { throw .init(.unreadable, "\(noun) file \(path): \(reason())") }
        let line = buffer[..<count].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty else { throw .init(.unreadable, "\(noun) file \(path): its first line is empty") }
        guard line.count <= limit, !line.contains(0), let password = String(validating: line, as: UTF8.self) else {
            throw .init(.unreadable, "\(noun) file \(path): its first line is not text of at most \(limit) bytes")
        }
        return password
    }

    private static func read(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
        #if canImport(Glibc)
            Glibc.read(descriptor, &buffer, buffer.count)
        #else
            Musl.read(descriptor, &buffer, buffer.count)
        #endif
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}
