// SPDX-License-Identifier: Apache-2.0
import Conformance
import EventLines

extension LifeCycleGrammar {
    /// Takes the events that one detector wrote at once: the events of one frame, or the ends of its tracks. Lines
    /// about no track are skipped.
    package mutating func batch(_ events: [EncodedEvent]) {
        let steps = events.filter(\.kind.isTrack).compactMap { event in
            Step(rawValue: event.kind.name).map { (key: Key(owner: event.detector, id: event.track), step: $0) }
        }
        // Tracks ended by a discontinuity belong to the previous frame; they come first, like all ends.
        let ends = steps.prefix { $0.step == .completed }
        if !ends.isEmpty { frame(Array(ends)) }
        if ends.count < steps.count { frame(Array(steps[ends.endIndex...])) }
    }
}
