import EventLines
import Observations

/// Which pictures a detector's tracks have, and which of them is to be told when: those of the rule `best` when the track ends, the others at once.
struct TrackPictures: Sendable {
    private enum Best {
        case none
        case picture(SnapshotEvent)
    }

    /// Of live tracks.
    private var best: [TrackID: Best] = [:]
    /// Lines to come, after those of the tracks.
    private var told: [SnapshotEvent] = []

    /// A picture of the rule `best` of a track that is not live is nobody's: a replay with other settings has other tracks.
    mutating func take(_ picture: SnapshotEvent) {
        guard picture.rule == .best else { return told.append(picture) }
        if best[picture.track] != nil { best[picture.track] = .picture(picture) }
    }

    /// Follows the track's life.
    ///
    /// - Returns: the best picture, when it ends.
    mutating func best(of track: TrackID, after phase: TrackPhase) -> SnapshotEvent? {
        switch phase {
        case .detected: best[track] = Best.none
        case .completed:
            guard case .picture(let picture) = best.removeValue(forKey: track) else { return nil }
            told.append(picture)
            return picture
        case .update, .missing: break
        }
        return nil
    }

    mutating func takeTold() -> [SnapshotEvent] {
        defer { told.removeAll(keepingCapacity: true) }
        return told
    }
}
