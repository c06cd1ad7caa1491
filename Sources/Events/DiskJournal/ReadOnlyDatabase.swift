import Foundation
import GRDB
import Glibc

/// Opens the journal's database for reading only.
enum ReadOnlyDatabase {
    static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(1)
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -512") }
        // A database that no process has open has no write-ahead log beside it. A reader cannot create one in a
        // read-only folder, but such a database does not change, so it is opened as immutable.
        let isAtRest = access("\(path)-wal", F_OK) != 0
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        guard isAtRest, access(folder.isEmpty ? "." : folder, W_OK) != 0 else {
            return try DatabaseQueue(path: path, configuration: configuration)
        }
        return try DatabaseQueue(path: "file:\(escaped(path))?immutable=1", configuration: configuration)
    }

    /// Escapes a path for use in a URI: sqlite.org/uri.html.
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            let isPlain = byte == UInt8(ascii: "/") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            let character = Unicode.Scalar(byte)
            if isPlain || byte < 0x80 && (character.properties.isAlphabetic || (0x30...0x39).contains(byte)) {
                return String(character)
            }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}

extension Error {
    /// SQLite's message without the statement.
    var reason: String {
        guard let error = self as? DatabaseError else { return "\(self)" }
        return error.message.map { "\($0) (SQLite \(error.extendedResultCode.rawValue))" } ?? "\(error.resultCode)"
    }
}
