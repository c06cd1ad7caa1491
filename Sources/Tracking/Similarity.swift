import Observations

/// How well a detection continues a track, by position and by what both say.
struct Similarity {
    let configuration: TrackerConfiguration

    /// What an equal, unique payload is worth: above every geometric score, nearer first.
    static let forced = 2.0
    /// What an equal payload that is not unique adds to a geometric match.
    private static let equalPayloadGain = 1.2

    /// How far the match region may grow with absence. The first pass is tight, the last one wide.
    enum Pass {
        case tight
        /// `elapsed` seconds since the track was last seen.
        case wide
    }

    /// - Parameter payloadIsUnique: whether neither another live track nor another detection of the frame says the same.
    /// - Returns: 0 for a pair that must not be.
    func score(
        _ feature: FollowedFeature, _ detection: Detection, elapsed: Double, pass: Pass, payloadIsUnique: Bool
    ) -> Double {
        switch feature.detection.content.agreement(with: detection.content) {
        case .contradicts: return 0
        case .silent: return overlap(feature, detection.box, elapsed: elapsed, pass: pass)
        case .samePayload:
            let geometric = overlap(feature, detection.box, elapsed: elapsed, pass: pass)
            guard payloadIsUnique else { return geometric * Self.equalPayloadGain }
            let distance = distance(feature.filter.box.center, detection.box.center) / feature.filter.size
            // Within three sizes at first, more with every second unseen.
            return distance <= 3 * (1 + 5 * elapsed) ? Self.forced + 1 / (1 + distance) : geometric
        }
    }

    /// Plain intersection over union with the predicted box, for detections of a low score.
    func plainOverlap(_ feature: FollowedFeature, _ detection: Detection) -> Double {
        guard feature.detection.content.agreement(with: detection.content) != .contradicts else { return 0 }
        return Double(feature.filter.box.intersectionOverUnion(detection.box))
    }

    /// Intersection over union after both boxes have grown by the same margin: equal boxes still score 1.
    private func overlap(_ feature: FollowedFeature, _ box: Box, elapsed: Double, pass: Pass) -> Double {
        let size = feature.filter.size
        let uncertainty = feature.filter.uncertainty
        let buffer = pass == .wide ? min(configuration.bufferLimit, configuration.bufferRate * elapsed) * size : 0
        func margin(_ uncertainty: Double) -> Float {
            Float(min(configuration.uncertaintyGain * uncertainty, 0.6 * size) + buffer)
        }
        let (x, y) = (margin(uncertainty.x), margin(uncertainty.y))
        return Double(feature.filter.box.grown(byX: x, y: y).intersectionOverUnion(box.grown(byX: x, y: y)))
    }

    private func distance(_ from: Point, _ to: Point) -> Double {
        let (dx, dy) = (Double(to.x - from.x), Double(to.y - from.y))
        return (dx * dx + dy * dy).squareRoot()
    }
}
