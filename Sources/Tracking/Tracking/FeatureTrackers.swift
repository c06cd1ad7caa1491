// SPDX-License-Identifier: Apache-2.0
import Observations

/// The tracker objects of the live tracks, each called about its own track. Confined to one thread.
package struct FeatureTrackers {
    private var trackers: [TrackID: any FeatureTracker] = [:]

    package init() {}

    /// - Parameter make: makes the tracker of a new feature; nil: nobody is interested in it.
    package mutating func deliver(
        _ change: TrackChange, in results: DetectionResults, make: (Track) -> (any FeatureTracker)?
    ) {
        let id = change.track.id
        switch change.phase {
        case .detected:
            trackers[id] = make(change.track)
            trackers[id]?.detected(change.track, in: results)
        case .update: trackers[id]?.update(change.track, in: results)
        case .missing: trackers[id]?.missing(change.track, in: results)
        case .completed(let reason):
            trackers.removeValue(forKey: id)?.completed(change.track, reason: reason, in: results)
        }
    }
}
