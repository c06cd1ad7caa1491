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

    package var encoded: EncodedEvent {
        var json = JSONWriter()
        json.object { json in
            json.member("type", EncodedEvent.Kind.config.name)
            json.member("time", time.rfc3339)
            json.member("clock", ClockSource.arrival.rawValue)
            json.member("revision", revision)
            if let changed {
                // A line has at most 64 KiB: the first five hundred names of at most 64 bytes.
                json.array("changed") { json in for name in changed.prefix(500) { json.element(name) } }
            } else {
                json.member("kept", true)
            }
            if let error { json.member("error", error.cut(toUTF8: 4096)) }
        }
        return EncodedEvent(kind: .config, body: Array(json.bytes.dropFirst()))
    }
}
