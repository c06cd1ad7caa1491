// SPDX-License-Identifier: Apache-2.0
/// A value of SQLite's storage classes: sqlite.org/datatype3.html. Numbers with a fraction are not stored.
package enum DatabaseValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    package init(_ text: String?) { self = text.map(Self.text) ?? .null }
    package init(_ blob: [UInt8]?) { self = blob.map(Self.blob) ?? .null }
    package init(_ integer: Int) { self = .integer(Int64(integer)) }

    /// Stores all 64 bits: numbers of 2^63 and more are negative in the database.
    package init(bits: UInt64) { self = .integer(Int64(bitPattern: bits)) }

    package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    package var text: String? { if case .text(let value) = self { value } else { nil } }
    package var blob: [UInt8]? { if case .blob(let value) = self { value } else { nil } }

    /// Undoes `init(bits:)`.
    package var bits: UInt64? { integer.map(UInt64.init(bitPattern:)) }
}

/// One row of a result.
package struct DatabaseRow: Sendable {
    let columns: [String: Int]
    let values: [DatabaseValue]

    /// The value at this place, from 0; null beyond the last one.
    package subscript(_ place: Int) -> DatabaseValue { values.indices.contains(place) ? values[place] : .null }

    /// The value of a column; null where there is no such column.
    package subscript(_ column: String) -> DatabaseValue { columns[column].map { values[$0] } ?? .null }
}

/// The rows of a statement, one after the other. Used by its database's thread.
package final class DatabaseRows {
    private let statement: Statement
    private let columns: [String: Int]
    private var isDone = false

    init(_ statement: Statement) {
        self.statement = statement
        columns = statement.columns
    }

    /// - Returns: nil after the last row.
    package func next() throws(DatabaseError) -> DatabaseRow? {
        guard !isDone, try statement.step() else {
            isDone = true
            return nil
        }
        return DatabaseRow(columns: columns, values: statement.values)
    }
}
