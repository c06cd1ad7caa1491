// SPDX-License-Identifier: Apache-2.0
import Observations

/// The log's tracks that a subscriber has selected.
extension Subscriber {
    /// The number of remembered tracks from which on a gap triggers a search for tracks whose end was lost.
    private static let remembersTracks = 1024

    /// The live tracks and live searches that pass the filter, as `state` lines.
    func state(_ log: EventLog, at moment: Moment) -> [UInt8] {
        ConnectionLine.state(log, time: moment.time) { pipeline, track in
            guard filter.concerns(track.newest.header, pipeline: pipeline, log) else { return false }
            guard !filter.track.isEmpty else { return true }
            let key = TrackKey(pipeline: pipeline, detector: track.newest.detector, track: track.newest.track)
            return gate?.knows(key) ?? false
        } isSearchShown: { pipeline, search in
            filter.concerns(search.header, pipeline: pipeline, log)
        }
    }

    /// Forgets tracks that ended within a gap, because the gap may contain their `completed` lines.
    mutating func forgetTracksOfGap(_ log: EventLog) {
        guard let gate, gate.tracks > Self.remembersTracks else { return }
        var toCome = Set<TrackKey>()
        for sequence in log.journal.firstSequence..<log.journal.nextSequence
        where log.journal[sequence].header.kind == .completed {
            toCome.insert(log.journal[sequence].trackKey)
        }
        self.gate?.forget { key in !toCome.contains(key) && !log.isLive(key) }
    }
}

extension EventLog {
    fileprivate func isLive(_ key: TrackKey) -> Bool {
        guard let pipeline = key.pipeline else { return false }
        return ledger(ofPipeline: pipeline).isLive(detector: key.detector, track: key.track)
    }
}
