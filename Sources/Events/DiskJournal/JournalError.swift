// SPDX-License-Identifier: Apache-2.0
/// An error of the journal on disk: the failed operation, the reason and the path.
package struct JournalError: Error, Equatable, CustomStringConvertible {
    package var description: String

    init(_ description: String) {
        self.description = description
    }
}

/// A newer version of glimpsed has written the database.
struct NewerJournal: Error {
    var version: Int
    var known: Int
}
