/// How much the journal on disk may keep, and for how long.
package struct JournalLimits: Sendable, Equatable {
    /// Bytes of the database and the log beside it.
    package var bytes: Int
    /// Seconds for which events are kept, and completed tracks.
    package var eventAge: Int64
    package var trackAge: Int64

    package init(bytes: Int, eventAge: Int64, trackAge: Int64) {
        self.bytes = bytes
        self.eventAge = eventAge
        self.trackAge = trackAge
    }

    /// The write-ahead log's share. SQLite's default is 4 MiB.
    var walBytes: Int { min(max(bytes / 8, 128 * 1024), 4 << 20) }
    /// The database's.
    var databaseBytes: Int { bytes - walBytes }
    /// One commit is a small part of either.
    var batchBytes: Int { min(walBytes / 2, 1 << 20) }
}
