// SPDX-License-Identifier: Apache-2.0
import CSQLite

/// A connection to an SQLite database. Used by one thread at a time. The connection closes when its last reference
/// goes.
package final class Database {
    /// How a connection is opened.
    package enum Mode: Sendable {
        /// Makes the file if it is absent.
        case readWrite
        case readOnly
        /// The file cannot change while it is open. Needs no write access to its folder, and takes no locks.
        case immutable
    }

    /// Time that a statement waits for another connection's lock.
    private static let busyMilliseconds: CInt = 1000

    private var handle: OpaquePointer?
    /// Compiled statements by their text, for those that run again and again.
    private var statements: [String: Statement] = [:]

    /// - Throws: `DatabaseError`.
    package init(path: String, _ mode: Mode = .readWrite) throws(DatabaseError) {
        let flags =
            switch mode {
            case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .readOnly: SQLITE_OPEN_READONLY
            case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            }
        let name = if case .immutable = mode { "file:\(Self.escaped(path))?immutable=1" } else { path }
        let code = sqlite3_open_v2(name, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK else {
            let error = DatabaseError(code: code, handle)
            sqlite3_close_v2(handle)
            handle = nil
            throw error
        }
        sqlite3_busy_timeout(handle, Self.busyMilliseconds)
    }

    deinit { close() }

    /// Closes the connection. A later use throws.
    package func close() {
        statements.removeAll()
        sqlite3_close_v2(handle)
        handle = nil
    }

    // MARK: Statements

    /// Runs statements without arguments, separated by semicolons, and ignores their rows.
    package func execute(_ sql: String) throws(DatabaseError) {
        let code = sqlite3_exec(try open(), sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(code: code, handle) }
    }

    /// Runs one statement with a value for each `?`, and keeps it compiled for the next time. Its rows are ignored.
    package func run(_ sql: String, _ values: [DatabaseValue]) throws(DatabaseError) {
        let statement: Statement
        if let known = statements[sql] {
            statement = known
        } else {
            statement = try Statement(sql, try open())
            statements[sql] = statement
        }
        try statement.bind(values)
        defer { statement.reset() }
        while try statement.step() {}
    }

    /// The rows of one statement with a value for each `?`, read as they are asked for.
    package func rows(_ sql: String, _ values: [DatabaseValue] = []) throws(DatabaseError) -> DatabaseRows {
        let statement = try Statement(sql, try open())
        try statement.bind(values)
        return DatabaseRows(statement)
    }

    /// Every row of one statement. A statement that changes the database needs this: it is done when all of its rows
    /// have been read.
    package func all(_ sql: String, _ values: [DatabaseValue] = []) throws(DatabaseError) -> [DatabaseRow] {
        let rows = try rows(sql, values)
        var all: [DatabaseRow] = []
        while let row = try rows.next() { all.append(row) }
        return all
    }

    /// The first row of one statement; nil without rows.
    package func first(_ sql: String, _ values: [DatabaseValue] = []) throws(DatabaseError) -> DatabaseRow? {
        try rows(sql, values).next()
    }

    // MARK: Transactions

    package enum Transaction: String, Sendable {
        /// Takes the lock for writing at once, or waits for it.
        case writing = "IMMEDIATE"
        /// All statements see the database as the first one does.
        case reading = "DEFERRED"
    }

    /// Runs `body` in a transaction, which is undone when `body` or the commit throws.
    package func transaction<Result>(_ kind: Transaction = .writing, _ body: () throws -> Result) throws -> Result {
        try execute("BEGIN \(kind.rawValue)")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // SQLite has undone the transaction by itself after some errors, such as a full disk.
            if let handle, sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    private func open() throws(DatabaseError) -> OpaquePointer {
        guard let handle else { throw DatabaseError(code: SQLITE_MISUSE, message: "the database is closed") }
        return handle
    }

    /// A path as part of a URI: sqlite.org/uri.html.
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."):
                String(Unicode.Scalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }.joined()
    }
}
