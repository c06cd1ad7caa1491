import Glibc
import Observations

/// The tracks that ended lately, for telling which of them a new one may go on from. The oldest gives way; all storage is kept.
struct Departures: Sendable {
    static let capacity = 64
    /// A pair below this is a coincidence and is not told.
    static let leastScore: Float = 0.3

    /// Seconds; 0: nothing is remembered.
    private var limit: Double
    private var confusables: Confusables
    private var departed: [Departure] = []
    private var assignment = Assignment()
    private var rows: [Int] = []

    init(limit: Double, confusables: Confusables) {
        self.limit = limit
        self.confusables = confusables
    }

    mutating func configure(limit: Double, confusables: Confusables) {
        (self.limit, self.confusables) = (limit, confusables)
        if limit == 0 { forgetAll() }
    }

    mutating func forgetAll() {
        departed.removeAll(keepingCapacity: true)
    }

    /// Remembers a feature that is completed in this frame.
    mutating func remember(_ feature: FollowedFeature, _ id: TrackID, frame: FrameInfo) {
        guard limit > 0 else { return }
        if departed.count == Self.capacity { departed.removeFirst() }
        departed.append(Departure(feature, id, frame: frame))
    }

    /// Gives the features that are reported from this frame on the tracks that they plausibly continue: each one at most one, each
    /// track to at most one, so that the sum of the scores is the greatest.
    mutating func match(_ features: inout [FollowedFeature], frame: FrameInfo) {
        // What is reported now may have been first seen a while ago.
        departed.removeAll { frame.seconds - $0.lastSeen > 2 * limit }
        guard !departed.isEmpty else { return }
        rows.removeAll(keepingCapacity: true)
        assignment.reset(columns: departed.count)
        for index in features.indices where features[index].isNew && features[index].previous == nil {
            for (column, departure) in departed.enumerated() {
                let score = departure.score(features[index], limit: limit, confusables, frame: frame)
                if score >= Self.leastScore { assignment.offer(column: column, score: Double(score)) }
            }
            assignment.endRow()
            rows.append(index)
        }
        guard !rows.isEmpty else { return }
        assignment.solve()
        for (row, index) in rows.enumerated() {
            guard let column = assignment.column(ofRow: row) else { continue }
            let score = departed[column].score(features[index], limit: limit, confusables, frame: frame)
            features[index].previous = PreviousTrack(id: departed[column].id, score: score)
            departed[column].isClaimed = true
        }
        departed.removeAll(where: \.isClaimed)
    }
}

/// A track that ended, as it was last seen.
private struct Departure: Sendable {
    var id: TrackID
    /// Presentation time in seconds.
    var lastSeen: Double
    /// Where it was last seen, and where it would have been when it was given up: its centre, within the picture.
    var exit: Point
    var prediction: Point
    var size: Float
    var isAtBorder: Bool
    var detection: Detection
    var cues: Cues
    var vote: ClassVote
    var isClaimed = false

    init(_ feature: FollowedFeature, _ id: TrackID, frame: FrameInfo) {
        self.id = id
        lastSeen = feature.lastSeenSeconds
        exit = feature.detection.box.center
        let (predicted, width, height) = (feature.filter.box.center, Float(frame.width), Float(frame.height))
        prediction = Point(x: min(max(predicted.x, 0), width), y: min(max(predicted.y, 0), height))
        size = feature.detection.box.size
        isAtBorder = feature.detection.box.isAtBorder(of: frame) || prediction != predicted
        detection = feature.detection
        cues = feature.cues
        vote = feature.vote
    }

    /// How plausible it is that the feature is this one again, 0...1:
    ///
    /// `time * place * border * size * likeness`, where `time = 1 - gap / (2 limit)` falls from 1 to a half at the limit and is 0 beyond;
    /// `place = exp(-(d / (1 + gap))^2)` with `d` the distance, in sizes, from where the new one was first seen to the line between exit
    /// and prediction, so that the reach grows by a size a second; `border` is 0.7 where one of them was at the picture's border (within a
    /// quarter of its size) and the other was not; `size` is the smaller size over the larger; `likeness` is `(1 + l) / 2` of two faces'
    /// landmarks, otherwise 1. The same payload makes `place` at least a half, and the border does not matter; another one, or a class
    /// that does not fit, gives 0. The formula is the project's; no sequence measures it.
    func score(_ feature: FollowedFeature, limit: Double, _ confusables: Confusables, frame: FrameInfo) -> Float {
        let gap = feature.firstSeenSeconds - lastSeen
        guard gap > 0, gap <= limit, feature.cues.kind == cues.kind else { return 0 }
        let (first, knowsPayload) = (feature.firstBox, cues.payload != nil && feature.cues.payload != nil)
        if knowsPayload {
            guard feature.detection.content.hasSamePayload(as: detection.content) else { return 0 }
        }
        guard vote.admits(feature.cues.label) || confusables.contain(detection, feature.detection) else { return 0 }
        let reach = distance(to: first.center) / (size * (1 + Float(gap)))
        var place = expf(-reach * reach)
        var border: Float = first.isAtBorder(of: frame) == isAtBorder ? 1 : 0.7
        if knowsPayload { (place, border) = (max(place, 0.5), 1) }
        let likeness = detection.landmarkLikeness(feature.detection).map { (1 + $0) / 2 } ?? 1
        let ratio = min(size, first.size) / max(size, first.size)
        return Float(1 - gap / (2 * limit)) * place * border * ratio * likeness
    }

    /// From the line between exit and prediction.
    private func distance(to point: Point) -> Float {
        let (dx, dy) = (prediction.x - exit.x, prediction.y - exit.y)
        let length = dx * dx + dy * dy
        let share = length > 0 ? ((point.x - exit.x) * dx + (point.y - exit.y) * dy) / length : 0
        let along = min(max(share, 0), 1)
        return hypotf(point.x - exit.x - along * dx, point.y - exit.y - along * dy)
    }
}

extension Box {
    /// Geometric mean of width and height.
    fileprivate var size: Float { (width * height).squareRoot() }

    fileprivate func isAtBorder(of frame: FrameInfo) -> Bool {
        let margin = size / 4
        return x < margin || y < margin || maxX > Float(frame.width) - margin || maxY > Float(frame.height) - margin
    }
}
