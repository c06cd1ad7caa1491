import Conformance
import EventLines

extension LifeCycleGrammar {
    /// Takes what one detector wrote at once: the events of one frame, or the ends of its tracks. Lines about no track are passed over.
    package mutating func batch(_ events: [EncodedEvent]) {
        let steps = events.filter(\.kind.isTrack).compactMap { event in
            Step(rawValue: event.kind.name).map { (key: Key(owner: event.detector, id: event.track), step: $0) }
        }
        // Tracks that a discontinuity ends belong to the frame before; they come first like all others that end.
        let ends = steps.prefix { $0.step == .completed }
        if !ends.isEmpty { frame(Array(ends)) }
        if ends.count < steps.count { frame(Array(steps[ends.endIndex...])) }
    }
}
