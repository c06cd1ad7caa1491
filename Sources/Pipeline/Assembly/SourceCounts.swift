// SPDX-License-Identifier: Apache-2.0
import EventLines
import Frames
import Observations

/// The frames that a pipeline has had from its source.
struct SourceCounts {
    /// The number of the newest frame, so that frames dropped before it count too.
    var received: UInt64 = 0
    var decoded: UInt64 = 0
    var decoding = DurationHistogram()

    mutating func take(_ frame: Frame) {
        received = frame.info.sequence
        decoded += 1
        if let time = frame.decodeTime { decoding.record(microseconds: UInt64(StageTimes.microseconds(time))) }
    }
}
