// SPDX-License-Identifier: Apache-2.0
/// Counts durations in buckets with fixed bounds. It needs no time stamp and no memory per duration.
///
/// Numbers saturate, because a broken worker may send any number.
package struct DurationHistogram: Sendable, Equatable {
    /// The inclusive upper bounds of the buckets in microseconds, in ascending order. Longer durations are in one
    /// further bucket.
    package static let bounds: [UInt64] = [
        500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
    ]

    /// The number of durations in each bucket; the last bucket has no upper bound.
    package private(set) var counts: [UInt64]
    /// The sum of all durations in microseconds.
    package private(set) var sum: UInt64

    package init() {
        counts = Array(repeating: 0, count: Self.bounds.count + 1)
        sum = 0
    }

    /// - Parameter next: returns the counts of the buckets in ascending order, then the sum.
    /// - Returns: nil if `next` returns nil.
    package init?(_ next: () -> UInt64?) {
        self.init()
        for index in counts.indices {
            guard let count = next() else { return nil }
            counts[index] = count
        }
        guard let sum = next() else { return nil }
        self.sum = sum
    }

    package mutating func record(microseconds: UInt64, times: UInt64 = 1) {
        let bucket = Self.bounds.firstIndex { microseconds <= $0 } ?? Self.bounds.count
        counts[bucket] = counts[bucket].saturatingAdd(times)
        let (product, overflows) = microseconds.multipliedReportingOverflow(by: times)
        sum = sum.saturatingAdd(overflows ? .max : product)
    }

    package static func += (left: inout DurationHistogram, right: DurationHistogram) {
        for index in left.counts.indices { left.counts[index] = left.counts[index].saturatingAdd(right.counts[index]) }
        left.sum = left.sum.saturatingAdd(right.sum)
    }
}

/// A part of a frame's way through a lane.
package enum LaneStage: Int, Sendable, CaseIterable {
    /// From the hand-over to the lane until the detector took the frame.
    case wait
    /// The run of the detector.
    case detect
    /// Association and all tracker callbacks.
    case track
    /// From the end of tracking until the frame's events were encoded.
    case emit

    package var name: String { "\(self)" }
}

/// The times of a lane's stages since its worker started.
package struct StageHistograms: Sendable, Equatable {
    private var histograms = Array(repeating: DurationHistogram(), count: LaneStage.allCases.count)

    package init() {}

    package subscript(stage: LaneStage) -> DurationHistogram {
        get { histograms[stage.rawValue] }
        set { histograms[stage.rawValue] = newValue }
    }

    package mutating func record(_ stage: LaneStage, microseconds: UInt64) {
        histograms[stage.rawValue].record(microseconds: microseconds)
    }

    package static func += (left: inout StageHistograms, right: StageHistograms) {
        for stage in LaneStage.allCases { left.histograms[stage.rawValue] += right.histograms[stage.rawValue] }
    }
}

extension UInt64 {
    /// The sum, or the highest number if the sum is higher.
    package func saturatingAdd(_ other: UInt64) -> UInt64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
