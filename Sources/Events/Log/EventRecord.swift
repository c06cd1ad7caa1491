/// An event with its place in the log.
package struct EventRecord: Sendable, Equatable {
    package var sequence: UInt64
    /// Index into the log's pipelines; nil for lines that are about none.
    package var pipeline: Int?
    package var event: EncodedEvent
    /// Bytes of all lines of the log before this one.
    package var offset: UInt64

    /// What is followed from event to event.
    package var trackKey: TrackKey {
        TrackKey(pipeline: pipeline, detector: event.detector, track: event.track)
    }
}

/// Names a track within a run.
package struct TrackKey: Sendable, Hashable {
    package var pipeline: Int?
    package var detector: String
    package var track: UInt64
}

/// How many events there were of each type.
package struct EventCounts: Sendable, Equatable {
    private var counts = SIMD16<UInt64>()

    package init() {}

    package subscript(kind: EncodedEvent.Kind) -> UInt64 {
        get { counts[Int(kind.rawValue)] }
        set { counts[Int(kind.rawValue)] = newValue }
    }

    /// What was counted since `earlier` was.
    package func since(_ earlier: EventCounts) -> EventCounts {
        var difference = self
        difference.counts &-= earlier.counts
        return difference
    }
}
