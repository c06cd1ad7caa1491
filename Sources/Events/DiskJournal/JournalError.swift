/// What the journal on disk could not do: what failed, why, where.
package struct JournalError: Error, Equatable, CustomStringConvertible {
    package var description: String

    init(_ description: String) {
        self.description = description
    }
}

/// A later glimpsed has written the database, before somebody went back to this one.
struct NewerJournal: Error {
    var version: Int
    var known: Int
}
