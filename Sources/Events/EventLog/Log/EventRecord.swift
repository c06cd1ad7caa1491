// SPDX-License-Identifier: Apache-2.0
import EventLines

/// The facts about an event of the log, without its line.
package struct EventRecord: Sendable, Equatable {
    package var sequence: UInt64
    /// The index into the log's pipelines; nil for lines about no pipeline.
    package var pipeline: Int?
    package var header: EventHeader
    /// The number of bytes of all lines of the log before this line.
    package var offset: UInt64

    /// The identity of the event's track.
    package var trackKey: TrackKey {
        TrackKey(pipeline: pipeline, detector: header.detector, track: header.track)
    }
}

/// Identifies a track within a run.
package struct TrackKey: Sendable, Hashable {
    package var pipeline: Int?
    package var detector: String
    package var track: UInt64
}

/// The number of events of each type.
package struct EventCounts: Sendable, Equatable {
    private var counts = SIMD16<UInt64>()

    package init() {}

    /// - Parameter values: counts indexed by `EncodedEvent.Kind.rawValue`; absent values are 0.
    package init(values: [UInt64]) {
        for (index, value) in values.prefix(counts.scalarCount).enumerated() { counts[index] = value }
    }

    /// The counts, indexed by `EncodedEvent.Kind.rawValue`.
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

    /// The counts since `earlier` was taken.
    package func since(_ earlier: EventCounts) -> EventCounts {
        var difference = self
        difference.counts &-= earlier.counts
        return difference
    }
}
