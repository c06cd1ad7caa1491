// SPDX-License-Identifier: Apache-2.0
import Observations

/// All of it does nothing unless somebody asks.
extension Tracker {
    /// Detections that the association is not even shown.
    mutating func explainWeakDetections(_ detections: [Detection], frame: FrameInfo) {
        guard explanation != nil else { return }
        var sound = 0
        for detection in detections {
            if !detection.isSound(in: frame) {
                explanation?.add(detection, .invalid)
            } else if detection.score < configuration.low {
                explanation?.add(detection, .belowLow(limit: configuration.low))
            } else {
                sound += 1
            }
        }
        guard sound > Self.maximumDetections else { return }
        // The worst detections are left out, in the order by which the association sorts.
        let order = detections.filter { $0.score >= configuration.low && $0.isSound(in: frame) }
            .sorted { $0.precedes($1) }
        for detection in order.dropFirst(Self.maximumDetections) {
            explanation?.add(detection, .capacity(limit: Self.maximumDetections))
        }
    }

    /// Features that ended with the frame, and those whose detection nobody hears of.
    mutating func explainFeatures(in frame: FrameInfo) {
        guard explanation != nil else { return }
        for feature in features {
            if let rule = rule(ending: feature, now: frame.seconds) {
                explanation?.add(Explanation.Ended(track: feature.id, box: feature.detection.box, rule: rule))
            }
            guard feature.ending == nil, feature.missingFrames == 0 else { continue }
            if !feature.isConfirmed {
                let cause = causeOfSilence(feature)
                explanation?.add(feature.detection, cause)
            } else if !feature.isReported {
                let limit = focus.isOn ? nil : configuration.reportLimit
                explanation?.add(feature.detection, limit.map { .capacity(limit: $0) } ?? .outOfFocus)
            }
        }
    }

    /// Why a feature that is seen is not confirmed.
    private func causeOfSilence(_ feature: FollowedFeature) -> Explanation.Untracked.Cause {
        if feature.isInDoubt { return .unconfirmed(reads: feature.readings.count, limit: feature.readings.needed) }
        if cooldown.holds(feature.cues.payload, at: feature.lastSeenSeconds) {
            return .cooldown(limit: cooldown.seconds)
        }
        return .tentative(hits: feature.hits, limit: configuration.hits)
    }

    mutating func explainDiscontinuity() {
        for feature in features where feature.id != nil {
            explanation?.add(
                Explanation.Ended(track: feature.id, box: feature.detection.box, rule: .discontinuity))
        }
    }

    /// The rule that ended the feature in this frame; nil: it goes on.
    private func rule(ending feature: FollowedFeature, now: Double) -> Explanation.Ended.Rule? {
        switch feature.ending {
        case .completed(.payloadChanged): return .payload
        case .completed(.evicted): return .capacity(limit: configuration.capacity)
        case .completed: return gapRule(feature, now: now)
        case .dropped:
            if feature.isInDoubt { return .confirmReads(reads: feature.readings.count, limit: feature.readings.needed) }
            // A symbol that was read waited for the end of a cooldown.
            if feature.cues.payload != nil { return gapRule(feature, now: now) }
            return .hits(hits: feature.hits, limit: configuration.hits)
        case nil: return feature.isLeaving ? .focus : nil
        }
    }

    private func gapRule(_ feature: FollowedFeature, now: Double) -> Explanation.Ended.Rule {
        switch configuration.gap {
        case .time(let limit):
            .maxGap(unseen: now - feature.lastSeenSeconds, limit: limit, runs: feature.missingFrames)
        case .frames(let limit): .maxGapFrames(runs: feature.missingFrames, limit: limit)
        }
    }
}

extension Explanation {
    mutating func add(_ detection: Detection, _ cause: Untracked.Cause) {
        add(Untracked(box: detection.box, confidence: detection.confidence, cause: cause))
    }
}
