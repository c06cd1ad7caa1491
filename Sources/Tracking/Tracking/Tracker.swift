// SPDX-License-Identifier: Apache-2.0
import Observations

/// A step in a track's life, with the track as it stands after it.
public struct TrackChange: Sendable, Equatable {
    /// The step.
    public var phase: TrackPhase
    /// The track after the step.
    public var track: Track

    public init(_ phase: TrackPhase, _ track: Track) {
        self.phase = phase
        self.track = track
    }
}

/// Gives detections an identity over time: a pure value, whose only clock is the frames' presentation time.
///
/// Each track's changes read `detected update (update | missing+ update)* missing* completed`. The changes of one frame
/// come in the order `completed`, `missing`, each new track's `detected` with its `update`, the other `update`s. Each
/// group has ascending ids.
///
/// The result does not depend on the order of the detections.
public struct Tracker: Sendable {
    private(set) var configuration: TrackerConfiguration
    /// The reported ones by ascending id, then the others by age.
    var features: [FollowedFeature] = []
    /// Where the next frame's `features` are put together.
    private var spare: [FollowedFeature] = []
    private(set) var association: Association
    /// The candidates that are tracked in this frame.
    private var taken: [Int] = []
    private var lastFrame: FrameInfo?
    private var nextID: UInt64
    private(set) var cooldown: Cooldown
    private var departures: Departures
    var focus: Focus
    /// The fate of the last frame's detections and of ended tracks; nil if no explanation is wanted.
    public internal(set) var explanation: Explanation?
    /// Detections that a limit kept out. They would have started a track beyond the capacity, or were the worst of a
    /// frame that has more than `maximumDetections`.
    public private(set) var refusedDetections = 0
    /// Tracks that ended before their time because a new one needed their place.
    public private(set) var evictedTracks = 0

    /// More in one frame are a detector's mistake; the best ones are taken. It bounds what a frame can cost.
    public static let maximumDetections = 1024

    /// A new feature that overlaps a tracked one of the same frame by so much (intersection over union) is the same
    /// thing twice.
    static let duplicateOverlap: Float = 0.85

    /// Whether the last frame had the time of the one before it: it changed nothing.
    package private(set) var isRepetition = false

    /// - Parameters:
    ///   - focus: which feature is reported; `.none`: every one.
    ///   - firstID: of the first track: one more than the last that was ever given, where a run has had a tracker
    ///     before.
    ///   - explains: whether `explanation` is filled.
    public init(
        _ configuration: TrackerConfiguration, focus: FocusPolicy = .none, firstID: TrackID = TrackID(1),
        explains: Bool = false
    ) {
        self.configuration = configuration
        self.focus = Focus(focus)
        association = Association(configuration)
        departures = Departures(limit: configuration.reentry)
        nextID = firstID.number
        cooldown = Cooldown(seconds: configuration.payloads.cooldown)
        explanation = explains ? Explanation() : nil
    }

    /// Whether `explanation` is filled from the next frame on. Tracks do not depend on it.
    package var explains: Bool {
        get { explanation != nil }
        set { if newValue != explains { explanation = newValue ? Explanation() : nil } }
    }

    /// Goes on with other rules from the next frame on. Tracks live on; what ended before stays remembered for as long
    /// as the new `reentry` says.
    public mutating func configure(_ configuration: TrackerConfiguration) {
        self.configuration = configuration
        association.configuration = configuration
        departures.configure(limit: configuration.reentry)
        cooldown.seconds = configuration.payloads.cooldown
    }

    /// Takes what the detector saw in a frame. Frames that the detector did not run on are not given.
    public mutating func process(_ detections: [Detection], frame: FrameInfo) -> [TrackChange] {
        var changes: [TrackChange] = []
        process(detections, frame: frame, into: &changes)
        return changes
    }

    /// Writes the changes into an array that is kept from frame to frame. Once the array has grown, a frame allocates
    /// nothing.
    ///
    /// - Parameter changes: what it held is forgotten.
    public mutating func process(_ detections: [Detection], frame: FrameInfo, into changes: inout [TrackChange]) {
        changes.removeAll(keepingCapacity: true)
        isRepetition = false
        explanation?.removeAll()
        if let lastFrame {
            if frame.isDiscontinuous(from: lastFrame, longestStep: longestStep) {
                explainDiscontinuity()
                completeAll(.discontinuity, into: &changes)
            } else if frame.presentationTime == lastFrame.presentationTime {
                isRepetition = true
                return
            }
        }
        let step = lastFrame.map { frame.seconds - $0.seconds } ?? 0
        let isFirstFrame = lastFrame == nil
        lastFrame = frame
        for index in features.indices {
            features[index].predict(by: step, decay: configuration.missingVelocityDecay)
        }
        explainWeakDetections(detections, frame: frame)
        refusedDetections += association.run(&features, detections, frame: frame)
        live(through: frame, detections)
        begin(detections, frame: frame, believeAtOnce: isFirstFrame)
        endReplaced()
        chooseReported(in: frame)
        identify(in: frame)
        explainFeatures(in: frame)
        report(into: &changes)
        tidy()
    }

    /// Whether `hold` may take a frame: it goes on from the last one, and nothing is undecided.
    public func canHold(_ frame: FrameInfo) -> Bool {
        guard let lastFrame, frame.presentationTime != lastFrame.presentationTime,
            !frame.isDiscontinuous(from: lastFrame, longestStep: longestStep)
        else { return false }
        return isSettled
    }

    /// Whether nothing is undecided that a next frame decides: every feature is confirmed, was seen in the last frame
    /// and has a settled label.
    public var isSettled: Bool { configuration.associates && features.allSatisfy { $0.isSettled(configuration) } }

    /// Takes a frame that shows nothing new: every feature is where it was seen last. The frame counts neither as a
    /// sighting (`hits`) nor as a run that missed. Does nothing unless `canHold(frame)`.
    ///
    /// - Parameter changes: what it held is forgotten.
    public mutating func hold(_ frame: FrameInfo, into changes: inout [TrackChange]) {
        changes.removeAll(keepingCapacity: true)
        explanation?.removeAll()
        guard let lastFrame, canHold(frame) else { return }
        isRepetition = false
        let step = frame.seconds - lastFrame.seconds
        self.lastFrame = frame
        for index in features.indices { features[index].hold(frame, after: step) }
        chooseReported(in: frame)
        identify(in: frame)
        explainFeatures(in: frame)
        report(into: &changes)
        tidy()
    }

    /// Where the live features should be in a frame that was not looked at yet, in no promised order. Changes nothing;
    /// empty when the frame does not go on from the last one, and without tracking.
    public func predicted(at frame: FrameInfo) -> [TrackHint] {
        guard configuration.associates, let lastFrame,
            !frame.isDiscontinuous(from: lastFrame, longestStep: longestStep)
        else { return [] }
        let step = frame.seconds - lastFrame.seconds
        return features.map { $0.hint(after: step, decay: configuration.missingVelocityDecay) }
    }

    /// Ends every track, for a stop, a reload or a lost source. Nothing that follows is taken for one of them.
    public mutating func completeAll(_ reason: CompletionReason) -> [TrackChange] {
        var changes: [TrackChange] = []
        completeAll(reason, into: &changes)
        return changes
    }

    private mutating func completeAll(_ reason: CompletionReason, into changes: inout [TrackChange]) {
        for feature in features {
            guard let id = feature.id else { break }
            changes.append(TrackChange(.completed(reason), feature.snapshot(id: id, configuration, predicted: false)))
        }
        features.removeAll(keepingCapacity: true)
        cooldown.reset()
        departures.forgetAll()
        focus.isRequested = false
        lastFrame = nil
    }

    private var longestStep: Double? {
        if case .time(let limit) = configuration.gap { max(configuration.longestStep, limit) } else { nil }
    }

    // MARK: Life cycle

    /// Continues or ends the features that existed before the frame.
    private mutating func live(through frame: FrameInfo, _ detections: [Detection]) {
        for index in features.indices {
            features[index].isNew = false
            features[index].isFresh = false
            guard let place = association.candidateOfFeature[index] else {
                features[index].miss()
                let isGone = features[index].isGone(configuration.gap, at: frame.seconds)
                if !features[index].isConfirmed {
                    // A tentative feature that misses once was nothing, unless it was read.
                    if features[index].cues.payload == nil || isGone { features[index].ending = .dropped }
                } else if isGone {
                    features[index].ending = .completed(.gone)
                }
                continue
            }
            let (candidate, isLoneStep) = (association.candidates[place], association.isLoneStep[index])
            features[index].match(
                detections[candidate.index], candidate, frame: frame, weak: !association.isStrong(candidate),
                isLoneStep: isLoneStep, configuration)
            let isProven = features[index].hits >= configuration.hits && !isLoneStep
            if isProven || isCertain(features[index]) { confirm(index) }
        }
    }

    private mutating func begin(_ detections: [Detection], frame: FrameInfo, believeAtOnce: Bool) {
        taken.removeAll(keepingCapacity: true)
        for place in association.candidates.indices where association.featureOfCandidate[place] != nil {
            taken.append(place)
        }
        var live = features.count { $0.ending == nil }
        for (place, candidate) in association.candidates.enumerated()
        where association.featureOfCandidate[place] == nil {
            let detection = detections[candidate.index]
            guard candidate.score >= configuration.birth else {
                explanation?.add(detection, .belowBirth(limit: configuration.birth))
                continue
            }
            let overlap = overlapWithTaken(candidate, detections)
            if configuration.associates, overlap >= Self.duplicateOverlap {
                explanation?.add(detection, .suppressed(overlap: overlap))
                continue
            }
            if isOneWithAnother(detection) {
                explanation?.add(detection, .sameValue)
                continue
            }
            taken.append(place)
            if live >= configuration.capacity, !evict() {
                explanation?.add(detection, .capacity(limit: configuration.capacity))
                refusedDetections += 1
                continue
            }
            live = min(live + 1, configuration.capacity)
            features.append(FollowedFeature(detection, candidate, frame: frame, configuration))
            let last = features.count - 1
            if contradictsKnown(features[last]) { features[last].contradict() }
            if believeAtOnce || configuration.hits <= 1 || isCertain(features[last]) { confirm(last) }
        }
    }

    /// With what is tracked already and may be the same thing.
    private func overlapWithTaken(_ candidate: Candidate, _ detections: [Detection]) -> Float {
        var greatest: Float = 0
        for place in taken {
            let other = association.candidates[place]
            let overlap = other.box.intersectionOverUnion(candidate.box)
            if overlap > greatest, !detections[other.index].contradicts(detections[candidate.index]) {
                greatest = overlap
            }
        }
        return greatest
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
        evictedTracks += 1
        return true
    }

    private mutating func confirm(_ index: Int) {
        let feature = features[index]
        guard !feature.isConfirmed, !feature.isInDoubt,
            !cooldown.holds(feature.cues.payload, at: feature.lastSeenSeconds)
        else { return }
        features[index].isConfirmed = true
        features[index].isFresh = true
    }

    /// Evidence so strong that one detection is enough.
    private func isCertain(_ feature: FollowedFeature) -> Bool {
        if feature.cues.payload != nil { return feature.readings.isBelieved }
        return (feature.detection.confidence ?? 0) >= configuration.certainScore
    }

    // MARK: Identity

    /// Gives ids to what is reported from this frame on, and looks for what it was before.
    private mutating func identify(in frame: FrameInfo) {
        for feature in features {
            guard let id = feature.id, feature.isCompleted else { continue }
            departures.remember(feature, id)
            cooldown.ended(feature.cues.payload, at: frame.seconds)
        }
        for index in features.indices where features[index].isNew {
            features[index].id = TrackID(nextID)
            nextID += 1
        }
        departures.match(&features, frame: frame)
    }

    /// Lets go of what ended.
    private mutating func tidy() {
        for feature in features where feature.ending == nil && feature.isReported { spare.append(feature) }
        for var feature in features where feature.ending == nil && !feature.isReported {
            feature.leave()
            spare.append(feature)
        }
        swap(&features, &spare)
        spare.removeAll(keepingCapacity: true)
    }
}
