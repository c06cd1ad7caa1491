// SPDX-License-Identifier: Apache-2.0
import CSQLite

/// A compiled statement. SQLite keeps the connection open until its last statement is finalised.
final class Statement {
    private let handle: OpaquePointer
    private let database: OpaquePointer

    init(_ sql: String, _ database: OpaquePointer) throws(DatabaseError) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v2(database, sql, -1, &handle, nil)
        guard code == SQLITE_OK, let handle else { throw DatabaseError(code: code, database) }
        self.handle = handle
        self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    /// Sets the statement's arguments, as many as it has.
    func bind(_ values: [DatabaseValue]) throws(DatabaseError) {
        guard values.count == Int(sqlite3_bind_parameter_count(handle)) else {
            throw DatabaseError(code: SQLITE_RANGE, message: "a statement has another number of arguments")
        }
        // SQLite copies the bytes: its -1, SQLITE_TRANSIENT.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        for (place, value) in zip(CInt(1)..., values) {
            let code =
                switch value {
                case .null: sqlite3_bind_null(handle, place)
                case .integer(let value): sqlite3_bind_int64(handle, place, value)
                case .text(let value): sqlite3_bind_text(handle, place, value, CInt(value.utf8.count), copied)
                case .blob(let value): sqlite3_bind_blob(handle, place, value, CInt(value.count), copied)
                }
            guard code == SQLITE_OK else { throw DatabaseError(code: code, database) }
        }
    }

    /// - Returns: whether there is a row.
    func step() throws(DatabaseError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw DatabaseError(code: code, database)
        }
    }

    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// Places of the columns by name.
    var columns: [String: Int] {
        var columns: [String: Int] = [:]
        for place in 0..<sqlite3_column_count(handle) {
            if let name = sqlite3_column_name(handle, place) { columns[String(cString: name)] = Int(place) }
        }
        return columns
    }

    /// The values of the row that `step` came to.
    var values: [DatabaseValue] {
        (0..<sqlite3_column_count(handle)).map { place in
            switch sqlite3_column_type(handle, place) {
            case SQLITE_INTEGER: .integer(sqlite3_column_int64(handle, place))
            case SQLITE_TEXT: .text(String(decoding: bytes(sqlite3_column_text(handle, place), place), as: UTF8.self))
            case SQLITE_BLOB: .blob(Array(bytes(sqlite3_column_blob(handle, place), place)))
            default: .null
            }
        }
    }

    private func bytes(_ start: UnsafeRawPointer?, _ place: CInt) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, place)))
    }
}
