import Observations

/// What became of the configuration: the `config` line.
package struct ConfigEvent: Sendable, Equatable {
    package var time: Timestamp
    /// Counts the configurations that were applied, from 1; the one that is in force now.
    package var revision: UInt64
    /// Pipelines that it is another with, by name; nil when the old configuration stays.
    package var changed: [String]?
    /// What was wrong, for people.
    package var error: String?

    package init(time: Timestamp, revision: UInt64, changed: [String]?, error: String? = nil) {
        self.time = time
        self.revision = revision
        self.changed = changed
        self.error = error
    }
}
