// SPDX-License-Identifier: Apache-2.0
import Observations

/// The time that parts of a worker may take before the worker counts as hanging.
package struct StallLimits: Sendable, Equatable {
    /// The time of a detector for one frame.
    package var lane: Duration
    /// The time of the source, in addition to the silence that its settings allow.
    package var source: Duration

    package init(lane: Duration, source: Duration) {
        self.lane = lane
        self.source = source
    }

    /// - Returns: a description of the hanging part; nil if no part hangs.
    package func fault(in metrics: PipelineMetrics) -> String? {
        for lane in metrics.lanes where lane[.busyTime] > milliseconds(self.lane) {
            return "its detector \(lane.detector) has worked on one frame for over \(self.lane)"
        }
        if metrics.source[.busyTime] > milliseconds(source) {
            return "its source has not responded for over \(source)"
        }
        return nil
    }

    private func milliseconds(_ duration: Duration) -> UInt64 { UInt64(max(0, duration / .milliseconds(1))) }
}
