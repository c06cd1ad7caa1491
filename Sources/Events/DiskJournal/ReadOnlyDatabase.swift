// SPDX-License-Identifier: Apache-2.0
import Glibc
import SQLite

/// Opens the journal's database for reading only.
enum ReadOnlyDatabase {
    static func open(_ path: String) throws(DatabaseError) -> Database {
        // A database that no process has open has no write-ahead log beside it. A reader cannot create one in a
        // read-only folder, but such a database does not change, so it is opened as immutable.
        let isAtRest = access("\(path)-wal", F_OK) != 0
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let isFixed = isAtRest && access(folder.isEmpty ? "." : folder, W_OK) != 0
        let database = try Database(path: path, isFixed ? .immutable : .readOnly)
        try database.execute("PRAGMA cache_size = -512")
        return database
    }
}
