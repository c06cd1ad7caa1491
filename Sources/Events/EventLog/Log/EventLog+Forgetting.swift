// SPDX-License-Identifier: Apache-2.0
import Observations

extension EventLog {
    /// Removes events from memory.
    ///
    /// The memory journal becomes empty if it has any selected event: subscribers read the kept events from disk. Live
    /// tracks stay if the selection has a time, because they are not past.
    ///
    /// - Returns: the number of events in memory that the selection takes. Their times are not known here.
    package mutating func forget(_ selection: ForgetSelection) -> UInt64 {
        let selected = (journal.firstSequence..<journal.nextSequence).count { sequence in
            let record = journal[sequence]
            return selection.takes(
                pipeline: record.pipeline.map(name), detector: record.header.detector, track: record.header.track)
        }
        if selection.before == nil { forgetTracks(selection) }
        guard selected > 0 else { return 0 }
        journal.removeAll()
        forgottenInMemory = journal.nextSequence
        return UInt64(selected)
    }

    /// The number after the newest forgotten event. A `gap` that begins before it has the reason `forgotten`.
    var forgotten: UInt64 { max(forgottenInMemory, archive?.forgotten ?? 0) }
}
