// SPDX-License-Identifier: Apache-2.0
import Observations

extension Tracker {
    /// Writes the frame's changes. Ids were given in the order of `features`, so that each pass meets them ascending.
    func report(into changes: inout [TrackChange]) {
        for feature in features {
            guard let id = feature.id else { continue }
            if case .completed(let reason) = feature.ending {
                changes.append(change(.completed(reason), feature, id))
            } else if feature.isLeaving {
                changes.append(change(.completed(.focusChanged), feature, id))
            }
        }
        for feature in features where feature.isReported && feature.missingFrames > 0 {
            guard let id = feature.id else { continue }
            changes.append(TrackChange(.missing, feature.snapshot(id: id, configuration, predicted: true)))
        }
        for feature in features where feature.isNew {
            guard let id = feature.id else { continue }
            changes.append(change(.detected, feature, id))
            changes.append(change(.update, feature, id))
        }
        for feature in features where feature.isReported && !feature.isNew && feature.missingFrames == 0 {
            guard let id = feature.id else { continue }
            changes.append(change(.update, feature, id))
        }
    }

    private func change(_ phase: TrackPhase, _ feature: FollowedFeature, _ id: TrackID) -> TrackChange {
        TrackChange(phase, feature.snapshot(id: id, configuration, predicted: false))
    }
}
