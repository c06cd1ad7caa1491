// SPDX-License-Identifier: Apache-2.0
import Observations

/// The result of applying a configuration: the `config` line.
package struct ConfigEvent: Sendable, Equatable {
    package var time: Timestamp
    /// The number of configurations applied so far, from 1. It identifies the configuration in force.
    package var revision: UInt64
    /// The names of the pipelines whose configuration changed; nil when the old configuration stays in force.
    package var changed: [String]?
    /// A description of the error for people.
    package var error: String?

    package init(time: Timestamp, revision: UInt64, changed: [String]?, error: String? = nil) {
        self.time = time
        self.revision = revision
        self.changed = changed
        self.error = error
    }
}
