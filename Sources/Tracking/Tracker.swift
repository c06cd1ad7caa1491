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
    /// The confirmed ones by ascending id, then the tentative ones by age.
    private var features: [FollowedFeature] = []
    /// Where the next frame's `features` are put together.
    private var spare: [FollowedFeature] = []
    private var association: Association
    /// The candidates that are tracked in this frame.
    private var taken: [Int] = []
    private var lastFrame: FrameInfo?
    private var nextID: UInt64
    private var cooldown: Cooldown
    /// Detections that a limit kept out: those that would have started a track beyond the capacity, and the worst of a frame that
    /// has more than `maximumDetections`.
    public private(set) var refusedDetections = 0

    /// More in one frame are a detector's mistake; the best ones are taken. It bounds what a frame can cost.
    public static let maximumDetections = 1024

    /// - Parameter firstID: of the first track: one more than the last that was ever given, where a run has had a tracker before.
    public init(_ configuration: TrackerConfiguration, firstID: TrackID = TrackID(1)) {
        self.configuration = configuration
        association = Association(configuration)
        nextID = firstID.number
        cooldown = Cooldown(seconds: configuration.payloads.cooldown)
    }

    /// Takes what the detector saw in a frame. Frames that the detector did not run on are not given.
    public mutating func process(_ detections: [Detection], frame: FrameInfo) -> [TrackChange] {
        var changes: [TrackChange] = []
        process(detections, frame: frame, into: &changes)
        return changes
    }

    /// The same, for an array that is kept from frame to frame: once everything has grown, a frame allocates nothing.
    ///
    /// - Parameter changes: what it held is forgotten.
    public mutating func process(_ detections: [Detection], frame: FrameInfo, into changes: inout [TrackChange]) {
        changes.removeAll(keepingCapacity: true)
        if let lastFrame {
            if frame.isDiscontinuous(from: lastFrame, longestStep: longestStep) {
                completeAll(.discontinuity, into: &changes)
            } else if frame.presentationTime == lastFrame.presentationTime {
                return
            }
        }
        let step = lastFrame.map { frame.seconds - $0.seconds } ?? 0
        let isFirstFrame = lastFrame == nil
        lastFrame = frame
        for index in features.indices {
            features[index].predict(by: step, decay: configuration.missingVelocityDecay)
        }
        refusedDetections += association.run(&features, detections, frame: frame)
        live(through: frame, detections)
        begin(detections, frame: frame, believeAtOnce: isFirstFrame)
        endReplaced()
        report(into: &changes)
        removeEnded()
    }

    /// Where the live features should be in a frame that was not looked at yet, in no promised order. Changes nothing; empty when the
    /// frame does not go on from the last one.
    public func predicted(at frame: FrameInfo) -> [TrackHint] {
        guard let lastFrame, !frame.isDiscontinuous(from: lastFrame, longestStep: longestStep) else { return [] }
        let step = frame.seconds - lastFrame.seconds
        return features.map { $0.hint(after: step, decay: configuration.missingVelocityDecay) }
    }

    /// Ends every track, for a stop, a reload or a lost source.
    public mutating func completeAll(_ reason: CompletionReason) -> [TrackChange] {
        var changes: [TrackChange] = []
        completeAll(reason, into: &changes)
        return changes
    }

    private mutating func completeAll(_ reason: CompletionReason, into changes: inout [TrackChange]) {
        for feature in features {
            guard let id = feature.id else { break }
            changes.append(TrackChange(.completed(reason), feature.snapshot(id: id, predicted: false)))
        }
        features.removeAll(keepingCapacity: true)
        cooldown.reset()
        lastFrame = nil
    }

    private var longestStep: Double? {
        if case .time(let limit) = configuration.gap { max(configuration.longestStep, limit) } else { nil }
    }

    // MARK: Life cycle

    /// What becomes of the features that were there before the frame.
    private mutating func live(through frame: FrameInfo, _ detections: [Detection]) {
        for index in features.indices {
            features[index].isNew = false
            guard let place = association.candidateOfFeature[index] else {
                features[index].miss()
                if !features[index].isConfirmed {
                    // A tentative feature that misses once was nothing, unless it was read.
                    let isNothing = features[index].cues.payload == nil || isGone(features[index], frame: frame)
                    if isNothing { features[index].ending = .dropped }
                } else if isGone(features[index], frame: frame) {
                    features[index].ending = .completed(.gone)
                }
                continue
            }
            let candidate = association.candidates[place]
            let detection = detections[candidate.index]
            features[index].match(
                detection, candidate, frame: frame, weak: !association.isStrong(candidate),
                rules: configuration.payloads)
            let isProven = features[index].hits >= configuration.hits && !association.isFirstStep[index]
            if isProven || isCertain(features[index]) { confirm(index) }
        }
    }

    private mutating func begin(_ detections: [Detection], frame: FrameInfo, believeAtOnce: Bool) {
        let candidates = association.candidates
        taken.removeAll(keepingCapacity: true)
        for place in candidates.indices where association.featureOfCandidate[place] != nil { taken.append(place) }
        var live = features.count { $0.ending == nil }
        for (place, candidate) in candidates.enumerated()
        where association.featureOfCandidate[place] == nil && candidate.score >= configuration.birth {
            let detection = detections[candidate.index]
            let isDuplicate = taken.contains {
                candidates[$0].box.intersectionOverUnion(candidate.box) >= 0.85
                    && !detections[candidates[$0].index].contradicts(detection)
            }
            if isDuplicate || isOneWithAnother(detection) { continue }
            taken.append(place)
            if live >= configuration.capacity, !evict() {
                refusedDetections += 1
                continue
            }
            live = min(live + 1, configuration.capacity)
            let feature = FollowedFeature(detection, candidate, frame: frame, rules: configuration.payloads)
            features.append(feature)
            if believeAtOnce || configuration.hits <= 1 || isCertain(feature) { confirm(features.count - 1) }
        }
    }

    /// Ends the track that is missing longest, the older one among equals.
    private mutating func evict() -> Bool {
        var oldest: Int?
        for index in features.indices where features[index].missingFrames > 0 && features[index].ending == nil {
            if let known = oldest, features[known].lastSeenSeconds <= features[index].lastSeenSeconds { continue }
            oldest = index
        }
        guard let oldest else { return false }
        features[oldest].ending = .completed(.evicted)
        return true
    }

    private mutating func confirm(_ index: Int) {
        let feature = features[index]
        guard !feature.isConfirmed, !feature.isInDoubt,
            !cooldown.holds(feature.cues.payload, at: feature.lastSeenSeconds)
        else { return }
        features[index].id = TrackID(nextID)
        features[index].isNew = true
        nextID += 1
    }

    /// Evidence so strong that one detection is enough.
    private func isCertain(_ feature: FollowedFeature) -> Bool {
        if feature.cues.payload != nil { return feature.readings.isBelieved }
        return (feature.detection.confidence ?? 0) >= configuration.certainScore
    }

    /// Where equal payloads are one item: whether that one is followed already.
    private func isOneWithAnother(_ detection: Detection) -> Bool {
        guard configuration.payloads.identity == .value, detection.hasPayload else { return false }
        return features.contains { $0.ending == nil && $0.detection.content.hasSamePayload(as: detection.content) }
    }

    /// Ends the tracks in whose place another payload has come to be known, and the doubtful ones where a known one is seen.
    private mutating func endReplaced() {
        for old in features.indices where features[old].missingFrames > 0 && features[old].ending == nil {
            let (isInDoubt, isConfirmed) = (features[old].isInDoubt, features[old].isConfirmed)
            guard isInDoubt != isConfirmed, features[old].cues.payload != nil else { continue }
            for new in features.indices where features[new].missingFrames == 0 && features[new].readings.isBelieved {
                let detection = features[new].detection
                guard isInDoubt || features[new].isNew, detection.contradicts(features[old].detection),
                    features[old].filter.box.intersectionOverUnion(detection.box) >= 0.5
                else { continue }
                features[old].ending = isConfirmed ? .completed(.payloadChanged) : .dropped
            }
        }
    }

    private func isGone(_ feature: FollowedFeature, frame: FrameInfo) -> Bool {
        switch configuration.gap {
        // Half a microsecond, so that rounding does not decide for whom exactly the limit has passed.
        case .time(let limit):
            frame.seconds - feature.lastSeenSeconds > limit + 5e-7 && feature.missingFrames >= 2
        case .frames(let limit): feature.missingFrames > limit
        }
    }

    // MARK: Reporting

    /// Ids were given in the order of `features`, so that each pass meets them ascending.
    private mutating func report(into changes: inout [TrackChange]) {
        for feature in features {
            guard let id = feature.id, case .completed(let reason) = feature.ending else { continue }
            changes.append(TrackChange(.completed(reason), feature.snapshot(id: id, predicted: false)))
            if let lastFrame { cooldown.ended(feature.cues.payload, at: lastFrame.seconds) }
        }
        for feature in features where feature.ending == nil && feature.missingFrames > 0 {
            guard let id = feature.id else { continue }
            changes.append(TrackChange(.missing, feature.snapshot(id: id, predicted: true)))
        }
        for feature in features where feature.isNew {
            guard let id = feature.id else { continue }
            let track = feature.snapshot(id: id, predicted: false)
            changes.append(TrackChange(.detected, track))
            changes.append(TrackChange(.update, track))
        }
        for feature in features where !feature.isNew && feature.missingFrames == 0 {
            guard let id = feature.id else { continue }
            changes.append(TrackChange(.update, feature.snapshot(id: id, predicted: false)))
        }
    }

    private mutating func removeEnded() {
        for feature in features where feature.ending == nil && feature.isConfirmed { spare.append(feature) }
        for feature in features where feature.ending == nil && !feature.isConfirmed { spare.append(feature) }
        swap(&features, &spare)
        spare.removeAll(keepingCapacity: true)
    }
}
