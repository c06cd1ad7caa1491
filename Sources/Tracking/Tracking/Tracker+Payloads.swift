// SPDX-License-Identifier: Apache-2.0
import Observations

/// The conclusions from payloads about tracks that are in one place.
extension Tracker {
    /// Whether another payload is known where one is read that is in doubt.
    func contradictsKnown(_ feature: FollowedFeature) -> Bool {
        feature.isInDoubt
            && features.contains {
                $0.ending == nil && $0.readings.isBelieved && feature.detection.contradicts($0.detection)
                    && $0.filter.box.intersectionOverUnion(feature.detection.box) >= 0.5
            }
    }

    /// Where equal payloads are one item: whether that one is followed already.
    func isOneWithAnother(_ detection: Detection) -> Bool {
        guard configuration.payloads.identity == .value, detection.hasPayload else { return false }
        return features.contains { $0.ending == nil && $0.detection.content.hasSamePayload(as: detection.content) }
    }

    /// Ends the tracks in whose place another payload has come to be known, and the doubtful ones where a known one is
    /// seen.
    mutating func endReplaced() {
        for old in features.indices where features[old].missingFrames > 0 && features[old].ending == nil {
            let (isInDoubt, isConfirmed) = (features[old].isInDoubt, features[old].isConfirmed)
            guard isInDoubt != isConfirmed, features[old].cues.payload != nil else { continue }
            for new in features.indices where features[new].missingFrames == 0 && features[new].readings.isBelieved {
                let detection = features[new].detection
                guard isInDoubt || features[new].isFresh, detection.contradicts(features[old].detection),
                    features[old].filter.box.intersectionOverUnion(detection.box) >= 0.5
                else { continue }
                features[old].ending = isConfirmed ? .completed(.payloadChanged) : .dropped
            }
        }
    }
}
