import EventLines

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

    /// - Parameter values: by `EncodedEvent.Kind.rawValue`; what is beyond them is 0.
    package init(values: [UInt64]) {
        for (index, value) in values.prefix(counts.scalarCount).enumerated() { counts[index] = value }
    }

    /// By `EncodedEvent.Kind.rawValue`.
    package var values: [UInt64] { counts.indices.map { counts[$0] } }

    package var total: UInt64 { counts.wrappedSum() }

    package subscript(kind: EncodedEvent.Kind) -> UInt64 {
        get { counts[Int(kind.rawValue)] }
        set { counts[Int(kind.rawValue)] = newValue }
    }

    package static func + (left: EventCounts, right: EventCounts) -> EventCounts {
        var sum = left
        sum.counts &+= right.counts
        return sum
    }

    package static func += (left: inout EventCounts, right: EventCounts) { left = left + right }

    /// What was counted since `earlier` was.
    package func since(_ earlier: EventCounts) -> EventCounts {
        var difference = self
        difference.counts &-= earlier.counts
        return difference
    }
}
