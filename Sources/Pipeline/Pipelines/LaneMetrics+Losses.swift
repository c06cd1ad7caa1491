// SPDX-License-Identifier: Apache-2.0
import Observations

extension LaneMetrics {
    /// A text about lost frames, detections and tracks; nil if none were lost.
    public var losses: String? {
        var losses: [String] = []
        func add(_ metric: LaneMetric, _ words: (UInt64) -> String) {
            if self[metric] > 0 { losses.append(words(self[metric])) }
        }
        add(.busyDrops) { "dropped \($0) of \(self[.processed] + $0) frames" }
        add(.failures) { "failed on \($0) of \(self[.processed]) frames" }
        add(.refusedDetections) { "refused \($0) detections beyond the tracker's limits" }
        add(.evictedTracks) { "ended \($0) tracks for new ones beyond the tracker's capacity" }
        return losses.isEmpty ? nil : "\(detector): \(losses.joined(separator: ", "))"
    }
}
