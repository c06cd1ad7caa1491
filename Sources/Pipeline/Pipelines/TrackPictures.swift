// SPDX-License-Identifier: Apache-2.0
import EventLines
import Observations

/// The pictures of a detector's tracks, and the times at which they are reported. A picture of the rule `best` is
/// reported when its track ends, the others at once.
struct TrackPictures: Sendable {
    private enum Best {
        case none
        case picture(SnapshotEvent)
    }

    /// The best pictures of live tracks.
    private var best: [TrackID: Best] = [:]
    /// Pictures to report after the tracks' lines.
    private var told: [SnapshotEvent] = []

    /// Takes a picture. A `best` picture of a track that is not live is dropped, because a replay with other settings
    /// has other tracks.
    mutating func take(_ picture: SnapshotEvent) {
        guard picture.rule == .best else { return told.append(picture) }
        if best[picture.track] != nil { best[picture.track] = .picture(picture) }
    }

    /// Follows the track's life.
    ///
    /// - Returns: the best picture when the track ends.
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
