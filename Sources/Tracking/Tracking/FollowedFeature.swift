// SPDX-License-Identifier: Apache-2.0
import Observations

/// A track inside the tracker: its motion, its last detection and where it stands in its life.
struct FollowedFeature: Sendable {
    /// Given when it is first reported, so that ids ascend in the order of `detected`; nil while nobody hears of it.
    var id: TrackID?
    /// The track that this feature was before: another track that ended, or this one before it went out of focus.
    var previous: PreviousTrack?
    var filter: BoxFilter
    var detection: Detection
    /// The cues of `detection`.
    private(set) var cues: Cues
    private(set) var readings = Readings()
    private(set) var vote: ClassVote
    private var face = FaceMemory()
    let firstSeen: Timestamp
    /// Presentation time in seconds.
    let firstSeenSeconds: Double
    var lastSeen: Timestamp
    var lastSeenSeconds: Double
    var ageFrames = 1
    var hits = 1
    var missingFrames = 0
    var isWeak = false
    /// Seen often or surely enough; tentative before.
    var isConfirmed = false
    /// Confirmed in this frame.
    var isFresh = false
    var hasFocus = false
    /// The most prominent of the confirmed ones.
    var isProminent = false
    /// Reported for the first time in this frame.
    var isNew = false
    /// Reported for the last time in this frame, because another one has the focus.
    var isLeaving = false
    /// It ends with this frame.
    var ending: Ending?

    enum Ending {
        /// Subscribers learn of it, if it was reported.
        case completed(CompletionReason)
        /// It was tentative: nobody knew of it.
        case dropped
    }

    init(_ detection: Detection, _ candidate: Candidate, frame: FrameInfo, _ configuration: TrackerConfiguration) {
        filter = BoxFilter(detection.box)
        self.detection = detection
        cues = candidate.cues
        vote = ClassVote(detection.content.labels)
        firstSeen = frame.time
        firstSeenSeconds = frame.seconds
        lastSeen = frame.time
        lastSeenSeconds = frame.seconds
        count(detection, isSame: true, configuration.payloads)
        followFace(configuration.faces)
    }

    /// A symbol that was not read often enough to be believed.
    var isInDoubt: Bool { cues.payload != nil && !readings.isBelieved }

    /// Subscribers hear of it in this frame, and of no end.
    var isReported: Bool { id != nil && ending == nil && !isLeaving }

    var isCompleted: Bool {
        if case .completed = ending { true } else { false }
    }

    mutating func predict(by step: Double, decay: Double?) {
        if missingFrames > 0 { filter.coast(step: step, decay: decay) }
        filter.predict(by: step)
    }

    mutating func match(
        _ detection: Detection, _ candidate: Candidate, frame: FrameInfo, weak: Bool, isLoneStep: Bool,
        _ configuration: TrackerConfiguration
    ) {
        if detection.hasPayload {
            let isSame = cues.payload == nil || detection.content.hasSamePayload(as: self.detection.content)
            count(detection, isSame: isSame, configuration.payloads)
        }
        if isLoneStep, hits > 1 {
            // It turned: its velocity begins anew where it was last seen.
            filter = BoxFilter(self.detection.box)
            filter.predict(by: frame.seconds - lastSeenSeconds)
        }
        filter.correct(detection.box)
        vote.add(detection.content.labels)
        self.detection = detection.keepingAddOn(of: self.detection).leading(with: vote.winner)
        if candidate.cues.payload != nil { cues = candidate.cues }
        lastSeen = frame.time
        lastSeenSeconds = frame.seconds
        ageFrames += 1
        hits += 1
        missingFrames = 0
        isWeak = weak
        followFace(configuration.faces)
    }

    /// Nothing that further sightings decide is open.
    func isSettled(_ configuration: TrackerConfiguration) -> Bool {
        isConfirmed && missingFrames == 0
            && (configuration.completeHits == 0 || (hits >= configuration.completeHits && vote.isSettled))
    }

    /// Stays where it was seen last, in a frame that shows nothing new.
    mutating func hold(_ frame: FrameInfo, after step: Double) {
        isNew = false
        isFresh = false
        filter.predict(by: step)
        filter.correct(detection.box)
        lastSeen = frame.time
        lastSeenSeconds = frame.seconds
        ageFrames += 1
    }

    /// Another payload is known where this one was read.
    mutating func contradict() { readings.contradict() }

    private mutating func followFace(_ rules: FaceRules) {
        guard case .face(let seen) = detection.content else { return }
        detection.content = .face(face.follow(seen, in: detection.box, at: lastSeenSeconds, rules))
    }

    private mutating func count(_ detection: Detection, isSame: Bool, _ rules: PayloadRules) {
        if case .custom = detection.content, detection.hasPayload { return readings.believe(isSame: isSame) }
        guard case .barcode(let barcode) = detection.content, barcode.isRead else { return }
        // A read that is certain has no confidence.
        let needed = rules.readsNeeded(barcode.format, isDoubtful: detection.confidence != nil)
        readings.add(barcode, isSame: isSame, needed: needed)
    }

    mutating func miss() {
        ageFrames += 1
        missingFrames += 1
        isWeak = false
    }

    /// After the last report of a feature that goes on: its id is used up, and whoever hears of it again hears what it
    /// was.
    mutating func leave() {
        guard isLeaving, let id else { return }
        previous = PreviousTrack(id: id, score: 1)
        self.id = nil
        isLeaving = false
    }

    /// As subscribers see it. Only reported features are seen, and only payloads that are believed.
    func snapshot(id: TrackID, _ configuration: TrackerConfiguration, predicted: Bool) -> Track {
        Track(
            id: id, kind: detection.kind, ageFrames: ageFrames, hits: hits, reads: readings.count,
            missingFrames: missingFrames, firstSeen: firstSeen, lastSeen: lastSeen,
            box: predicted ? filter.box : detection.box, isPredicted: predicted,
            smoothedBox: configuration.smoothedBox && !predicted ? filter.box : nil,
            velocity: hits > 1 ? filter.velocity : nil,
            detection: isInDoubt ? detection.withoutPayload : marked(configuration), isWeak: isWeak, hasFocus: hasFocus,
            previous: previous)
    }

    /// An object's detection, with what the tracker knows of it besides.
    private func marked(_ configuration: TrackerConfiguration) -> Detection {
        guard configuration.marksProminent || configuration.completeHits > 0,
            case .object(var object) = detection.content
        else { return detection }
        if configuration.marksProminent { object.isProminent = isProminent }
        object.isIncomplete = configuration.completeHits > 0 && (hits < configuration.completeHits || !vote.isSettled)
        var detection = detection
        detection.content = .object(object)
        return detection
    }

    /// Where it should be `step` seconds after the last processed frame.
    func hint(after step: Double, decay: Double?) -> TrackHint {
        var ahead = self
        ahead.predict(by: step, decay: decay)
        let uncertainty = ahead.filter.uncertainty
        return TrackHint(
            id: id, box: ahead.filter.box, margin: Point(x: Float(uncertainty.x), y: Float(uncertainty.y)),
            detection: detection, wantsReads: isInDoubt, missingFrames: missingFrames)
    }

    /// Whether it has been out of sight for longer than the rule allows.
    func isGone(_ rule: TrackerConfiguration.GapRule, at seconds: Double) -> Bool {
        switch rule {
        // Half a microsecond, so that rounding does not decide for whom exactly the limit has passed.
        case .time(let limit): seconds - lastSeenSeconds > limit + 5e-7 && missingFrames >= 2
        case .frames(let limit): missingFrames > limit
        }
    }
}
