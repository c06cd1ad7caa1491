// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import Observations

/// The tracks that ended lately, for telling which of them a new one is again. The oldest gives way; all storage is
/// kept.
///
/// Only a thing's content identifies it: the payload of a symbol, the label of a scene. Place, size and time do not.
/// Claims that rested on them were right in a third of cases at best (`docs/performance/tracking.md`), so faces and
/// objects are not remembered.
struct Departures: Sendable {
    static let capacity = 64

    /// Seconds; 0: nothing is remembered.
    private var limit: Double
    private var departed: [Departure] = []

    init(limit: Double) {
        self.limit = limit
    }

    mutating func configure(limit: Double) {
        self.limit = limit
        if limit == 0 { forgetAll() }
    }

    mutating func forgetAll() {
        departed.removeAll(keepingCapacity: true)
    }

    /// Remembers a feature that is completed in this frame.
    mutating func remember(_ feature: FollowedFeature, _ id: TrackID) {
        guard limit > 0, feature.saysWhatItIs else { return }
        if departed.count == Self.capacity { departed.removeFirst() }
        departed.append(
            Departure(
                id: id, lastSeen: feature.lastSeenSeconds, place: feature.detection.box.center, cues: feature.cues,
                content: feature.detection.content))
    }

    /// Gives the features that are reported from this frame on the tracks that they continue. Each feature gets at most
    /// one track, and each track goes to at most one feature. Among equal tracks the nearest counts.
    mutating func match(_ features: inout [FollowedFeature], frame: FrameInfo) {
        // A track reported now may have been first seen a while ago.
        departed.removeAll { frame.seconds - $0.lastSeen > 2 * limit }
        for index in features.indices where features[index].isNew && features[index].previous == nil {
            let feature = features[index]
            let same = departed.indices.filter { departed[$0].isContinued(by: feature, within: limit) }
            let nearest = same.min { departed[$0].distance(to: feature) < departed[$1].distance(to: feature) }
            guard let nearest else { continue }
            let departure = departed.remove(at: nearest)
            let gap = feature.firstSeenSeconds - departure.lastSeen
            features[index].previous = PreviousTrack(id: departure.id, score: Float(1 - gap / (2 * limit)))
        }
    }
}

/// A track that ended, as it was last seen.
private struct Departure: Sendable {
    var id: TrackID
    /// Presentation time in seconds.
    var lastSeen: Double
    var place: Point
    var cues: Cues
    var content: Detection.Content

    func isContinued(by feature: FollowedFeature, within limit: Double) -> Bool {
        let gap = feature.firstSeenSeconds - lastSeen
        guard gap > 0, gap <= limit, feature.cues == cues else { return false }
        return cues.payload == nil || feature.detection.content.hasSamePayload(as: content)
    }

    func distance(to feature: FollowedFeature) -> Float {
        let center = feature.detection.box.center
        return hypotf(center.x - place.x, center.y - place.y)
    }
}

extension FollowedFeature {
    /// Whether its content is an identity: a symbol that was read often enough, or the label of a scene.
    fileprivate var saysWhatItIs: Bool {
        cues.payload != nil && !isInDoubt || cues.kind == .scene && cues.label != nil
    }
}
