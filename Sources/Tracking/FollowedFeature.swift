import Observations

/// A track inside the tracker: its motion, its last detection and where it stands in its life.
struct FollowedFeature: Sendable {
    /// Given on confirmation, so that ids ascend in the order of `detected`; nil while tentative.
    var id: TrackID?
    var filter: BoxFilter
    var detection: Detection
    /// Of `detection`, which keeps a payload that is not read for a moment.
    private(set) var cues: Cues
    private(set) var vote: ClassVote
    let firstSeen: Timestamp
    var lastSeen: Timestamp
    /// Presentation time in seconds.
    var lastSeenSeconds: Double
    var ageFrames = 1
    var hits = 1
    var missingFrames = 0
    var isWeak = false
    /// Confirmed in this frame.
    var isNew = false
    /// It ends with this frame.
    var ending: Ending?

    enum Ending {
        /// Subscribers learn of it.
        case completed(CompletionReason)
        /// It was tentative: nobody knew of it.
        case dropped
    }

    init(_ detection: Detection, _ candidate: Candidate, frame: FrameInfo) {
        filter = BoxFilter(detection.box)
        self.detection = detection
        cues = candidate.cues
        vote = ClassVote(detection.content.labels)
        firstSeen = frame.time
        lastSeen = frame.time
        lastSeenSeconds = frame.seconds
    }

    var isConfirmed: Bool { id != nil }

    mutating func predict(by step: Double, decay: Double?) {
        if missingFrames > 0 { filter.coast(step: step, decay: decay) }
        filter.predict(by: step)
    }

    mutating func match(_ detection: Detection, _ candidate: Candidate, frame: FrameInfo, weak: Bool) {
        filter.correct(detection.box)
        vote.add(detection.content.labels)
        self.detection = detection.keepingPayload(of: self.detection).leading(with: vote.winner)
        if candidate.cues.payload != nil { cues = candidate.cues }
        lastSeen = frame.time
        lastSeenSeconds = frame.seconds
        ageFrames += 1
        hits += 1
        missingFrames = 0
        isWeak = weak
    }

    mutating func miss() {
        ageFrames += 1
        missingFrames += 1
        isWeak = false
    }

    /// As subscribers see it. Only confirmed features are seen.
    func snapshot(id: TrackID, predicted: Bool) -> Track {
        Track(
            id: id, kind: detection.kind, ageFrames: ageFrames, hits: hits, missingFrames: missingFrames,
            firstSeen: firstSeen, lastSeen: lastSeen, box: predicted ? filter.box : detection.box,
            isPredicted: predicted, velocity: hits > 1 ? filter.velocity : nil, detection: detection, isWeak: isWeak)
    }
}
