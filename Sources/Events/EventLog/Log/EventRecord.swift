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
    /// Indexed by `EncodedEvent.Kind.rawValue`. A SIMD vector would be aligned to its size of 128 bytes, and the
    /// allocator is slow to align.
    private var counts = InlineArray<16, UInt64>(repeating: 0)

    package init() {}

    /// - Parameter values: counts indexed by `EncodedEvent.Kind.rawValue`; absent values are 0.
    package init(values: [UInt64]) {
        for (index, value) in values.prefix(counts.count).enumerated() { counts[index] = value }
    }

    /// The counts, indexed by `EncodedEvent.Kind.rawValue`.
    package var values: [UInt64] { counts.indices.map { counts[$0] } }

    package var total: UInt64 { counts.indices.reduce(0) { $0 &+ counts[$1] } }

    package subscript(kind: EncodedEvent.Kind) -> UInt64 {
        get { counts[Int(kind.rawValue)] }
        set { counts[Int(kind.rawValue)] = newValue }
    }

    package static func + (left: EventCounts, right: EventCounts) -> EventCounts {
        var sum = left
        sum += right
        return sum
    }

    package static func += (left: inout EventCounts, right: EventCounts) {
        for index in left.counts.indices { left.counts[index] &+= right.counts[index] }
    }

    /// The counts since `earlier` was taken.
    package func since(_ earlier: EventCounts) -> EventCounts {
        var difference = self
        for index in counts.indices { difference.counts[index] &-= earlier.counts[index] }
        return difference
    }

    package static func == (left: EventCounts, right: EventCounts) -> Bool {
        left.counts.indices.allSatisfy { left.counts[$0] == right.counts[$0] }
    }
}
