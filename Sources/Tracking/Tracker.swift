import Observations

/// A step in a track's life, with the track as it stands after it.
public struct TrackChange: Sendable, Equatable {
    public var phase: TrackPhase
    public var track: Track

    public init(_ phase: TrackPhase, _ track: Track) {
        self.phase = phase
        self.track = track
    }
}

/// Gives detections an identity over time: a pure value, whose only clock is the frames' presentation time.
///
/// Each track's changes read `detected update (update | missing+ update)* missing* completed`. The changes of one frame come in the
/// order `completed`, `missing`, each new track's `detected` with its `update`, the other `update`s; each group by ascending id.
/// The result does not depend on the order of the detections.
public struct Tracker: Sendable {
    private let configuration: TrackerConfiguration
    private let similarity: Similarity
    private var features: [FollowedFeature] = []
    private var assignment = Assignment()
    private var lastFrame: FrameInfo?
    private var nextID: UInt64
    /// Detections that a limit kept out: those that would have started a track beyond the capacity, and the worst of a frame that
    /// has more than `maximumDetections`.
    public private(set) var refusedDetections = 0

    /// More in one frame are a detector's mistake; the best ones are taken. It bounds what a frame can cost.
    public static let maximumDetections = 1024

    /// - Parameter firstID: of the first track: one more than the last that was ever given, where a run has had a tracker before.
    public init(_ configuration: TrackerConfiguration, firstID: TrackID = TrackID(1)) {
        self.configuration = configuration
        nextID = firstID.number
        similarity = Similarity(configuration: configuration)
    }

    /// Takes what the detector saw in a frame. Frames that the detector did not run on are not given.
    public mutating func process(_ detections: [Detection], frame: FrameInfo) -> [TrackChange] {
        var changes: [TrackChange] = []
        if let lastFrame {
            if frame.isDiscontinuous(from: lastFrame, longestStep: longestStep) {
                changes = completeAll(.discontinuity)
            } else if frame.presentationTime == lastFrame.presentationTime {
                return []
            }
        }
        let step = lastFrame.map { frame.seconds - $0.seconds } ?? 0
        let isFirstFrame = lastFrame == nil
        lastFrame = frame
        for index in features.indices {
            features[index].predict(by: step, decay: configuration.missingVelocityDecay)
        }
        let candidates = candidates(of: detections, frame: frame)
        let matches = associate(candidates, frame: frame)
        changes += live(through: frame, candidates: candidates, matches: matches)
        changes += begin(candidates, matches: matches, frame: frame, believeAtOnce: isFirstFrame)
        return changes.inReportingOrder()
    }

    /// Ends every track, for a stop, a reload or a lost source.
    public mutating func completeAll(_ reason: CompletionReason) -> [TrackChange] {
        let changes = features.compactMap { feature in
            feature.id.map { TrackChange(.completed(reason), feature.snapshot(id: $0, predicted: false)) }
        }
        features.removeAll(keepingCapacity: true)
        lastFrame = nil
        return changes.inReportingOrder()
    }

    private var longestStep: Double? {
        if case .time(let limit) = configuration.gap { max(configuration.longestStep, limit) } else { nil }
    }

    /// What can be followed, best first.
    private mutating func candidates(of detections: [Detection], frame: FrameInfo) -> [Detection] {
        var candidates = detections.filter { $0.score >= configuration.low && $0.isSound(in: frame) }
        candidates.sort { $0.precedes($1) }
        let excess = candidates.count - Self.maximumDetections
        if excess > 0 {
            candidates.removeLast(excess)
            refusedDetections += excess
        }
        return candidates
    }

    // MARK: Association

    /// The feature that each candidate continues, and whether it was a low-score match.
    private struct Matches {
        var featureOfCandidate: [Int?]
        var candidateOfFeature: [Int?]
        var weak: Set<Int> = []
    }

    private mutating func associate(_ candidates: [Detection], frame: FrameInfo) -> Matches {
        var matches = Matches(
            featureOfCandidate: Array(repeating: nil, count: candidates.count),
            candidateOfFeature: Array(repeating: nil, count: features.count))
        let unique = PayloadCensus(candidates: candidates, features: features)

        func isStrong(_ candidate: Int) -> Bool { candidates[candidate].score >= configuration.high }
        func run(
            _ offered: (_ feature: FollowedFeature, _ candidate: Int) -> Bool, threshold: Double,
            score: (_ feature: FollowedFeature, _ detection: Detection) -> Double
        ) {
            for row in features.indices where matches.candidateOfFeature[row] == nil {
                for column in candidates.indices
                where matches.featureOfCandidate[column] == nil && offered(features[row], column) {
                    let score = score(features[row], candidates[column])
                    assignment.offer(row: row, column: column, score: score, threshold: threshold)
                }
            }
            for (row, column) in assignment.solve() {
                matches.candidateOfFeature[row] = column
                matches.featureOfCandidate[column] = row
                if !isStrong(column) { matches.weak.insert(column) }
            }
        }
        func geometric(_ pass: Similarity.Pass) -> (FollowedFeature, Detection) -> Double {
            { [similarity] feature, detection in
                similarity.score(
                    feature, detection, elapsed: frame.seconds - feature.lastSeenSeconds, pass: pass,
                    payloadIsUnique: unique.contains(detection))
            }
        }

        run({ $0.isConfirmed && isStrong($1) }, threshold: 0.2, score: geometric(.tight))
        run({ $0.isConfirmed && $0.missingFrames == 0 && !isStrong($1) }, threshold: 0.5) { [similarity] in
            similarity.plainOverlap($0, $1)
        }
        run({ $0.isConfirmed && isStrong($1) }, threshold: 0.3, score: geometric(.wide))
        run({ !$0.isConfirmed && isStrong($1) }, threshold: 0.2, score: geometric(.tight))
        run({ !$0.isConfirmed && isStrong($1) }, threshold: 0.3, score: geometric(.wide))
        return matches
    }

    // MARK: Life cycle

    /// What becomes of the features that were there before the frame.
    private mutating func live(through frame: FrameInfo, candidates: [Detection], matches: Matches) -> [TrackChange] {
        var changes: [TrackChange] = []
        var survivors: [FollowedFeature] = []
        survivors.reserveCapacity(features.count)
        for (index, candidate) in matches.candidateOfFeature.enumerated() {
            var feature = features[index]
            if let candidate {
                feature.match(candidates[candidate], frame: frame, weak: matches.weak.contains(candidate))
                changes += report(
                    &feature, confirmNow: feature.hits >= configuration.hits || isCertain(candidates[candidate]))
                survivors.append(feature)
                continue
            }
            feature.miss()
            // A tentative feature that misses once was nothing.
            guard let id = feature.id else { continue }
            if isGone(feature, frame: frame) {
                changes.append(TrackChange(.completed(.gone), feature.snapshot(id: id, predicted: false)))
            } else {
                changes.append(TrackChange(.missing, feature.snapshot(id: id, predicted: true)))
                survivors.append(feature)
            }
        }
        features = survivors
        return changes
    }

    private mutating func begin(
        _ candidates: [Detection], matches: Matches, frame: FrameInfo, believeAtOnce: Bool
    ) -> [TrackChange] {
        var changes: [TrackChange] = []
        var taken = candidates.indices.filter { matches.featureOfCandidate[$0] != nil }.map { candidates[$0] }
        for (index, detection) in candidates.enumerated()
        where matches.featureOfCandidate[index] == nil && detection.score >= configuration.birth {
            let isDuplicate = taken.contains {
                $0.box.intersectionOverUnion(detection.box) >= 0.85 && !$0.contradicts(detection)
            }
            if isDuplicate { continue }
            taken.append(detection)
            guard features.count < configuration.capacity else {
                refusedDetections += 1
                continue
            }
            var feature = FollowedFeature(detection, frame: frame)
            changes += report(
                &feature, confirmNow: believeAtOnce || configuration.hits <= 1 || isCertain(detection))
            features.append(feature)
        }
        return changes
    }

    private mutating func report(_ feature: inout FollowedFeature, confirmNow: Bool) -> [TrackChange] {
        if let id = feature.id {
            return [TrackChange(.update, feature.snapshot(id: id, predicted: false))]
        }
        guard confirmNow else { return [] }
        let id = TrackID(nextID)
        nextID += 1
        feature.id = id
        let track = feature.snapshot(id: id, predicted: false)
        return [TrackChange(.detected, track), TrackChange(.update, track)]
    }

    /// Evidence so strong that one detection is enough.
    private func isCertain(_ detection: Detection) -> Bool {
        if let confidence = detection.confidence, confidence >= configuration.certainScore { return true }
        return detection.hasPayload
    }

    private func isGone(_ feature: FollowedFeature, frame: FrameInfo) -> Bool {
        switch configuration.gap {
        case .time(let limit): frame.seconds - feature.lastSeenSeconds > limit && feature.missingFrames >= 2
        case .frames(let limit): feature.missingFrames > limit
        }
    }
}
