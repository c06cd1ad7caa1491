import Observations

/// Which detection of a frame continues which feature. All storage is kept from one frame to the next.
struct Association: Sendable {
    /// The frame's detections that can be followed, best first.
    private(set) var candidates: [Candidate] = []
    private(set) var candidateOfFeature: [Int?] = []
    private(set) var featureOfCandidate: [Int?] = []
    private var regions: [MatchRegion] = []
    private var assignment = Assignment()
    private var rows: [Int] = []
    private let configuration: TrackerConfiguration

    /// What a unique payload is worth: above every geometric score.
    private static let forced: Float = 2
    /// What an equal payload that is not unique adds to a geometric match.
    private static let equalPayloadGain: Float = 1.2

    /// Who may meet whom, and how alike they must be.
    private enum Stage {
        case tight, wide
        /// As `wide` without a look at the heights: for what moves up or down and has no known velocity yet.
        case last
        /// Detections of low score continue what was there a frame ago.
        case rescue
    }

    init(_ configuration: TrackerConfiguration) {
        self.configuration = configuration
    }

    func isStrong(_ candidate: Candidate) -> Bool { candidate.score >= configuration.high }

    /// - Parameter features: predicted to the frame's time.
    /// - Returns: how many detections were left out because there were more than `Tracker.maximumDetections`.
    mutating func run(_ features: [FollowedFeature], _ detections: [Detection], frame: FrameInfo) -> Int {
        candidates.fill(with: detections, frame: frame, low: configuration.low)
        let excess = max(0, candidates.count - Tracker.maximumDetections)
        candidates.removeLast(excess)
        regions.removeAll(keepingCapacity: true)
        candidateOfFeature.removeAll(keepingCapacity: true)
        featureOfCandidate.removeAll(keepingCapacity: true)
        for feature in features {
            regions.append(MatchRegion(feature, frame: frame, configuration: configuration))
            candidateOfFeature.append(nil)
        }
        for _ in candidates { featureOfCandidate.append(nil) }
        findUniquePayloads()

        match(.tight, isConfirmed: true, features, detections)
        match(.rescue, isConfirmed: true, features, detections)
        match(.wide, isConfirmed: true, features, detections)
        if configuration.heightModulation { match(.last, isConfirmed: true, features, detections) }
        match(.tight, isConfirmed: false, features, detections)
        match(.wide, isConfirmed: false, features, detections)
        if configuration.heightModulation { match(.last, isConfirmed: false, features, detections) }
        return excess
    }

    private mutating func match(
        _ stage: Stage, isConfirmed: Bool, _ features: [FollowedFeature], _ detections: [Detection]
    ) {
        let strong = candidates.firstIndex { !isStrong($0) } ?? candidates.count
        let columns = stage == .rescue ? strong..<candidates.count : 0..<strong
        rows.removeAll(keepingCapacity: true)
        assignment.reset(columns: candidates.count)
        for row in regions.indices where candidateOfFeature[row] == nil && regions[row].isConfirmed == isConfirmed {
            if stage == .rescue, !regions[row].isPresent { continue }
            if stage == .last, !regions[row].isMotionless { continue }
            for column in columns where featureOfCandidate[column] == nil {
                let score = score(features[row], regions[row], candidates[column], detections, stage)
                if score > 0 { assignment.offer(column: column, score: Double(score)) }
            }
            assignment.endRow()
            rows.append(row)
        }
        assignment.solve()
        for (place, row) in rows.enumerated() {
            guard let column = assignment.column(ofRow: place) else { continue }
            candidateOfFeature[row] = column
            featureOfCandidate[column] = row
        }
    }

    /// What a pair is worth; 0 for one that must not be.
    private func score(
        _ feature: FollowedFeature, _ region: MatchRegion, _ candidate: Candidate, _ detections: [Detection],
        _ stage: Stage
    ) -> Float {
        guard region.cues.kind == candidate.cues.kind else { return 0 }
        var gain: Float = 1
        if let known = region.cues.payload, let seen = candidate.cues.payload {
            let isEqual =
                known == seen && feature.detection.content.hasSamePayload(as: detections[candidate.index].content)
            // A payload in doubt may have been a misread.
            if !isEqual, region.isBelieved { return 0 }
            if isEqual {
                let distance = region.distance(candidate)
                let isNear = distance <= 3 * (1 + 5 * region.elapsed)  // sizes: more with every second unseen
                if configuration.payloads.identity == .value || candidate.isUnique && isNear {
                    return Self.forced + 1 / (1 + distance)
                }
                if !candidate.isUnique { gain = Self.equalPayloadGain }
            }
        }
        let modulated = configuration.heightModulation && stage != .last
        let (overlap, threshold): (Float, Float) =
            switch stage {
            case .tight: (region.overlap(candidate, isWide: false, modulated: modulated), 0.2)
            case .wide: (region.overlap(candidate, isWide: true, modulated: modulated), 0.3)
            case .last: (region.overlap(candidate, isWide: true, modulated: modulated), 0.5)
            case .rescue: (region.box.intersectionOverUnion(candidate.box), 0.5)
            }
        guard overlap * gain >= threshold, feature.vote.admits(candidate.cues.label) else { return 0 }
        // Cues rank what the gate lets through: a face that turns is not lost for it.
        return overlap * gain * (feature.detection.landmarkLikeness(detections[candidate.index]) ?? 1)
    }

    private mutating func findUniquePayloads() {
        for index in candidates.indices {
            guard let payload = candidates[index].cues.payload else { continue }
            candidates[index].isUnique =
                candidates.count { $0.cues.payload == payload } == 1
                && regions.count { $0.cues.payload == payload } <= 1
        }
    }
}
