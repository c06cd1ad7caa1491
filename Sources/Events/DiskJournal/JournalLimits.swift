// SPDX-License-Identifier: Apache-2.0
/// The limits of the journal on disk in size and in age.
package struct JournalLimits: Sendable, Equatable {
    /// The size in bytes of the database and the write-ahead log.
    package var bytes: Int
    /// The ages in seconds up to which events, and completed tracks, are kept.
    package var eventAge: Int64
    package var trackAge: Int64

    package init(bytes: Int, eventAge: Int64, trackAge: Int64) {
        self.bytes = bytes
        self.eventAge = eventAge
        self.trackAge = trackAge
    }

    /// The size limit of the write-ahead log. SQLite's default is 4 MiB.
    var walBytes: Int { min(max(bytes / 8, 128 * 1024), 4 << 20) }
    /// The size limit of the database.
    var databaseBytes: Int { bytes - walBytes }
    /// The size of a commit, which is a small part of either limit.
    var batchBytes: Int { min(walBytes / 2, 1 << 20) }
}
