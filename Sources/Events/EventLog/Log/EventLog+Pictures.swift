// SPDX-License-Identifier: Apache-2.0
import EventLines
import JSONLines

extension EventLog {
    /// The picture that an event in memory names; nil if the event is not in memory or names none.
    package func picture(runID: String, sequence: UInt64) -> (pipeline: String, file: String)? {
        guard runID == self.runID, (journal.firstSequence..<journal.nextSequence).contains(sequence) else { return nil }
        let event = journal.event(sequence)
        guard let pipeline = journal[sequence].pipeline, let line = JSONMembers(event.body[...]) else { return nil }
        let file: String? =
            switch event.kind {
            case .snapshot: line.string(.file)
            case .completed: line.members(.best)?.string(.snapshot)
            default: nil
            }
        return file.map { (name(ofPipeline: pipeline), $0) }
    }
}
