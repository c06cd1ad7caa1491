// SPDX-License-Identifier: Apache-2.0
import CSQLite

/// An error of SQLite with its reason.
package struct DatabaseError: Error, Sendable, Equatable, CustomStringConvertible {
    /// An extended result code: sqlite.org/rescode.html.
    package var code: CInt
    /// For people, without the statement.
    package var message: String

    package init(code: CInt, message: String) {
        self.code = code
        self.message = message
    }

    init(code: CInt, _ handle: OpaquePointer?) {
        let extended = handle.map(sqlite3_extended_errcode) ?? code
        self.code = extended == SQLITE_OK ? code : extended
        message = String(cString: handle.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
    }

    /// The file is another program's, or no database at all.
    package static func foreign(_ message: String) -> DatabaseError {
        DatabaseError(code: SQLITE_NOTADB, message: message)
    }

    /// The database's content contradicts itself.
    package static func corrupt(_ message: String) -> DatabaseError {
        DatabaseError(code: SQLITE_CORRUPT, message: message)
    }

    /// Whether the file cannot be used.
    package var isCorrupt: Bool { code & 0xFF == SQLITE_CORRUPT || code & 0xFF == SQLITE_NOTADB }

    package var description: String { "\(message) (SQLite \(code))" }
}
