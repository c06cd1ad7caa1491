// SPDX-License-Identifier: Apache-2.0
import Observations

/// Decides which detection of a frame continues which feature. All storage is kept from one frame to the next.
struct Association: Sendable {
    /// The frame's detections that can be followed, best first.
    private(set) var candidates: [Candidate] = []
    private(set) var candidateOfFeature: [Int?] = []
    private(set) var featureOfCandidate: [Int?] = []
    /// Those of high score.
    private var strong = 0..<0
    private var regions: [MatchRegion] = []
    /// The features whose match is a lone step: see `takeLoneSteps`.
    private(set) var isLoneStep: [Bool] = []
    private var cameraShift = CameraShift()
    private var lastSeconds: Double?
    private var assignment = Assignment()
    private var rows: [Int] = []
    private var rivals: (ofRow: [Int], ofColumn: [Int]) = ([], [])
    var configuration: TrackerConfiguration

    /// The score of a unique payload: above every geometric score.
    private static let forced: Float = 2
    /// The gain of an equal payload that is not unique, on a geometric match.
    private static let equalPayloadGain: Float = 1.2

    /// The least overlap of the last box and a detection that a turn may lead to.
    private static let turnOverlap: Float = 0.3

    /// The pairs that may match in a stage, and the similarity that they need.
    private enum Stage {
        case tight, wide
        /// Detections of low score continue what was there a frame ago.
        case rescue
    }

    init(_ configuration: TrackerConfiguration) {
        self.configuration = configuration
    }

    func isStrong(_ candidate: Candidate) -> Bool { candidate.score >= configuration.high }

    /// - Parameter features: predicted to the frame's time; shifted by what the camera moved.
    /// - Returns: how many detections were left out because there were more than `Tracker.maximumDetections`.
    mutating func run(_ features: inout [FollowedFeature], _ detections: [Detection], frame: FrameInfo) -> Int {
        candidates.fill(with: detections, frame: frame, low: configuration.low)
        let excess = max(0, candidates.count - Tracker.maximumDetections)
        candidates.removeLast(excess)
        strong = 0..<(candidates.firstIndex { !isStrong($0) } ?? candidates.count)
        regions.removeAll(keepingCapacity: true)
        isLoneStep.removeAll(keepingCapacity: true)
        for feature in features {
            regions.append(MatchRegion(feature, frame: frame, configuration: configuration))
            isLoneStep.append(false)
        }
        separate()
        guard configuration.associates else { return excess }
        findUniquePayloads()

        match(.tight, isConfirmed: true, features, detections)
        if configuration.cameraShift { followCamera(&features, detections, frame: frame) }
        // Before absent tracks reach out: what lies on a young track's prediction is its own.
        match(.tight, isConfirmed: false, features, detections)
        match(.rescue, isConfirmed: true, features, detections)
        match(.wide, isConfirmed: true, features, detections)
        match(.wide, isConfirmed: false, features, detections)
        takeLoneSteps(features, detections)
        return excess
    }

    /// Moves the tracks with the picture, and matches them again.
    private mutating func followCamera(_ features: inout [FollowedFeature], _ detections: [Detection], frame: FrameInfo)
    {
        let shift = cameraShift.estimate(regions, candidates[strong], matches: candidateOfFeature)
        cameraShift.follow(shift, step: features.isEmpty ? nil : lastSeconds.map { frame.seconds - $0 })
        lastSeconds = frame.seconds
        for index in features.indices { features[index].filter.drift = cameraShift.velocity }
        guard let shift else { return }
        for index in features.indices {
            features[index].filter.shift(by: shift)
            regions[index].box = features[index].filter.box
        }
        separate()
        match(.tight, isConfirmed: true, features, detections)
    }

    /// Undoes all matches.
    private mutating func separate() {
        candidateOfFeature.removeAll(keepingCapacity: true)
        featureOfCandidate.removeAll(keepingCapacity: true)
        for _ in regions { candidateOfFeature.append(nil) }
        for _ in candidates { featureOfCandidate.append(nil) }
    }

    private mutating func match(
        _ stage: Stage, isConfirmed: Bool, _ features: [FollowedFeature], _ detections: [Detection]
    ) {
        let columns = stage == .rescue ? strong.upperBound..<candidates.count : strong
        rows.removeAll(keepingCapacity: true)
        assignment.reset(columns: candidates.count)
        for row in regions.indices where candidateOfFeature[row] == nil && regions[row].isConfirmed == isConfirmed {
            if stage == .rescue, !regions[row].isPresent { continue }
            for column in columns where featureOfCandidate[column] == nil {
                let score = score(row, column, features, detections, stage)
                if score > 0 { assignment.offer(column: column, score: Double(score)) }
            }
            assignment.endRow()
            rows.append(row)
        }
        assignment.solve()
        for (place, row) in rows.enumerated() {
            if let column = assignment.column(ofRow: place) { join(row, column) }
        }
    }

    private mutating func join(_ row: Int, _ column: Int) {
        candidateOfFeature[row] = column
        featureOfCandidate[column] = row
    }

    /// The score of a pair; 0 for a forbidden pair.
    private func score(
        _ row: Int, _ column: Int, _ features: [FollowedFeature], _ detections: [Detection], _ stage: Stage
    ) -> Float {
        var gain: Float = 1
        if let known = regions[row].cues.payload, let seen = candidates[column].cues.payload {
            guard isAdmitted(row, column, features, detections) else { return 0 }
            if known == seen {
                let distance = regions[row].distanceOfPayload(candidates[column])
                // Within three sizes at first, more with every second unseen.
                let isNear = distance <= 3 * (1 + 5 * regions[row].elapsed)
                if configuration.payloads.identity == .value || candidates[column].isUnique && isNear {
                    return Self.forced + 1 / (1 + distance)
                }
                if !candidates[column].isUnique { gain = Self.equalPayloadGain }
            }
        }
        let modulated = configuration.heightModulation
        let (overlap, threshold): (Float, Float) =
            switch stage {
            case .tight:
                (
                    regions[row].overlap(candidates[column], isWide: false, modulated: modulated),
                    configuration.tightOverlap
                )
            case .wide:
                (
                    regions[row].overlap(candidates[column], isWide: true, modulated: modulated),
                    configuration.wideOverlap
                )
            case .rescue: (regions[row].box.intersectionOverUnion(candidates[column].box), 0.5)
            }
        guard overlap * gain >= threshold, isAdmitted(row, column, features, detections) else { return 0 }
        // Cues rank what the gate lets through: a face that turns is not lost for it.
        let score = overlap * gain * regions[row].heightLikeness(candidates[column]) * regions[row].presence
        guard regions[row].cues.kind == .face else { return score }
        return score * (features[row].detection.landmarkLikeness(detections[candidates[column].index]) ?? 1)
    }

    /// Whether kind, class and payload allow a pair.
    private func isAdmitted(
        _ row: Int, _ column: Int, _ features: [FollowedFeature], _ detections: [Detection]
    ) -> Bool {
        let (mine, other) = (regions[row].cues, candidates[column].cues)
        guard mine.kind == other.kind,
            features[row].vote.admits(other.label)
                || configuration.confusables.contain(features[row].detection, detections[candidates[column].index])
        else { return false }
        guard let known = mine.payload else { return true }
        // A symbol that was only located may have any value. It does not continue a track with a value.
        guard let seen = other.payload else { return false }
        // A payload in doubt may have been a misread.
        guard known == seen else { return !regions[row].isBelieved }
        return features[row].detection.content.hasSamePayload(as: detections[candidates[column].index].content)
    }

    /// Joins the rest where nothing else can be meant. The detection is the only one of the track's size within the
    /// track's reach, and no other such track reaches it.
    ///
    /// This follows the first step of a track that has no velocity yet, and a track that turns at once. A lone step
    /// does not confirm a track; the next hit does.
    private mutating func takeLoneSteps(_ features: [FollowedFeature], _ detections: [Detection]) {
        rivals.ofRow.removeAll(keepingCapacity: true)
        rivals.ofColumn.removeAll(keepingCapacity: true)
        for _ in regions { rivals.ofRow.append(0) }
        for _ in candidates { rivals.ofColumn.append(0) }
        for row in regions.indices where candidateOfFeature[row] == nil {
            for column in strong where featureOfCandidate[column] == nil {
                guard isWithinReach(row, column, features, detections) else { continue }
                rivals.ofRow[row] += 1
                rivals.ofColumn[column] += 1
            }
        }
        for row in regions.indices where rivals.ofRow[row] == 1 {
            for column in strong where rivals.ofColumn[column] == 1 && featureOfCandidate[column] == nil {
                guard isWithinReach(row, column, features, detections) else { continue }
                join(row, column)
                isLoneStep[row] = true
            }
        }
    }

    private func isWithinReach(
        _ row: Int, _ column: Int, _ features: [FollowedFeature], _ detections: [Detection]
    ) -> Bool {
        regions[row].isAlike(candidates[column], least: 0.8)
            && regions[row].reaches(candidates[column], overlap: Self.turnOverlap)
            && isAdmitted(row, column, features, detections)
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
