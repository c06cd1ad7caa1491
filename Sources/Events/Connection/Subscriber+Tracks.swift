import Observations

/// What of the log's tracks is this subscriber's.
extension Subscriber {
    /// More tracks than this are not let through for ever: those whose end was lost in a gap are looked for.
    private static let remembersTracks = 1024

    /// Lines whose content is looked at when a filter begins: everybody else waits meanwhile (a microsecond or two each).
    private static let recalledLines = 4096

    /// Makes the gate what it would be, had the filter been there all the time, as far as the journal and the limit go: a reader that comes
    /// back to a track sees the rest of it.
    mutating func recallTracks(_ log: EventLog) {
        self.gate = filter.followsTracks ? TrackGate(filter) : nil
        guard var gate, !filter.track.isEmpty else { return }
        defer { self.gate = gate }
        var ended = Set<TrackKey>()
        var looks = 0
        for sequence in (log.journal.firstSequence..<max(log.journal.firstSequence, cursor)).reversed() {
            let record = log.journal[sequence]
            guard record.event.kind.isTrack, concerns(record, log) else { continue }
            let key = record.trackKey
            switch record.event.kind {
            case .completed: ended.insert(key)
            case .detected, .update:
                if ended.contains(key) || gate.knows(key) { continue }
                if filter.track.holds(for: record.event) { gate.letThrough(key) }
                looks += 1
            default: break
            }
            if looks == Self.recalledLines { break }
        }
    }

    /// The live searches of the filter, and its live tracks: those that are let through, and those that are from now on, being shown here.
    mutating func state(_ log: EventLog, at moment: Moment) -> [UInt8] {
        var gate = gate
        defer { self.gate = gate }
        return ConnectionLine.state(log, time: moment.time) { pipeline, track in
            guard filter.concerns(track.newest, pipeline: log.name(ofPipeline: pipeline)) else { return false }
            guard !filter.track.isEmpty else { return true }
            let key = TrackKey(pipeline: pipeline, detector: track.newest.detector, track: track.newest.track)
            if gate?.knows(key) == true { return true }
            guard filter.track.holds(for: track.sighting) else { return false }
            gate?.letThrough(key)
            return true
        } isSearchShown: { pipeline, search in
            filter.concerns(search, pipeline: log.name(ofPipeline: pipeline))
        }
    }

    func concerns(_ record: EventRecord, _ log: EventLog) -> Bool {
        filter.concerns(record.event, pipeline: record.pipeline.map(log.name))
    }

    /// A gap may hold the `completed` of tracks that were let through.
    mutating func forgetTracksOfGap(_ log: EventLog) {
        guard let gate, gate.tracks > Self.remembersTracks else { return }
        var toCome = Set<TrackKey>()
        for sequence in log.journal.firstSequence..<log.journal.nextSequence
        where log.journal[sequence].event.kind == .completed {
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
