// SPDX-License-Identifier: Apache-2.0
/// Why a model's file was not installed.
package enum ModelStoreError: Error, Sendable, Equatable, CustomStringConvertible {
    /// It has no address, and no folder was given.
    case noOrigin(String)
    /// The catalogue has no hash, and none was given.
    case noHash(String)
    /// Not in the folder that was given.
    case notFound(String)
    /// The server did not give it.
    case notReceived(url: String, reason: String)
    /// It is not the file that the catalogue means; nothing of it was kept.
    case wrongHash(origin: String, expected: String, actual: String)
    case wrongSize(origin: String, expected: Int, actual: Int)
    case unreadable(String, reason: String)
    case unwritable(String, reason: String)
    /// Another process is installing it.
    case busy(String)

    package var description: String {
        switch self {
        case .noOrigin(let name):
            "\(name) has no address in the catalogue; give the folder that it is in: --from DIR"
        case .noHash(let name):
            "the catalogue has no SHA-256 of \(name), so the file cannot be checked; give the SHA-256 that you trust: --sha256 HASH"
        case .notFound(let path): "\(path): no such file"
        case .notReceived(let url, let reason): "cannot get \(url): \(reason)"
        case .wrongHash(let origin, let expected, let actual):
            "\(origin) is not the expected file, and was refused: its SHA-256 is \(actual), not \(expected)"
        case .wrongSize(let origin, let expected, let actual):
            "\(origin) is not the expected file, and was refused: it has \(actual) bytes, not \(expected)"
        case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
        case .unwritable(let path, let reason): "cannot write \(path): \(reason)"
        case .busy(let path): "another process is writing \(path)"
        }
    }
}
