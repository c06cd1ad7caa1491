// SPDX-License-Identifier: Apache-2.0
import EventLines
import EventLog
import FoundationEssentials
import Observations

/// The tracks live after the newest event on disk, and the positions of their lines. The type is pure.
struct LiveTracks: Sendable, Equatable, Codable {
    struct Track: Sendable, Equatable, Codable {
        var detector: String
        var id: UInt64
        /// The sequence numbers of the newest line, and of the newest line with a real position.
        var newest: UInt64
        var sighting: UInt64
    }

    struct Pipeline: Sendable, Equatable, Codable {
        var highestTrack: UInt64 = 0
        /// The sequence number of the newest line with a frame.
        var frame: UInt64 = 0
        var tracks: [String: Track] = [:]
        /// nil for a pipeline without crossings, and in databases of earlier versions.
        var lines: LineTotals?
    }

    private(set) var pipelines: [String: Pipeline] = [:]

    mutating func take(_ record: ArchivedRecord) {
        guard let name = record.pipeline else { return }
        if record.event.kind == .line { pipelines[name, default: Pipeline()].count(record.event) }
        guard record.event.kind.isTrack else { return }
        let (event, sequence) = (record.event, record.sequence)
        var pipeline = pipelines.removeValue(forKey: name) ?? Pipeline()
        pipeline.highestTrack = max(pipeline.highestTrack, event.track)
        pipeline.frame = sequence
        let key = "\(event.detector)/\(event.track)"
        switch event.kind {
        case .completed: pipeline.tracks[key] = nil
        // A limit as in the log: a broken worker completes no tracks, so its further tracks are neither ended nor
        // stored.
        case _ where pipeline.tracks[key] == nil && pipeline.tracks.count >= PipelineLedger.maximumLiveTracks: break
        case .missing:
            pipeline.tracks[key, default: Track(event, sequence)].newest = sequence
        default: pipeline.tracks[key] = Track(event, sequence)
        }
        pipelines[name] = pipeline
    }

    /// Forgets the live tracks, because events are missing. Later events show which tracks are live.
    mutating func loseSight() {
        for name in pipelines.keys { pipelines[name]?.tracks = [:] }
    }

    /// Removes the live tracks of forgotten lines.
    mutating func forget(_ selection: ForgetSelection) {
        for (name, pipeline) in pipelines {
            pipelines[name]?.tracks = pipeline.tracks.filter {
                !selection.takes(pipeline: name, detector: $0.value.detector, track: $0.value.id)
            }
        }
    }

    /// The sequence numbers of the lines that are needed to end every track.
    var sequences: Set<UInt64> {
        var sequences = Set<UInt64>()
        for pipeline in pipelines.values {
            sequences.insert(pipeline.frame)
            for track in pipeline.tracks.values { sequences.formUnion([track.newest, track.sighting]) }
        }
        return sequences
    }

    /// - Parameter lines: the lines of `sequences`. A track whose lines are no longer stored is left out.
    func state(_ lines: [UInt64: EncodedEvent]) -> [RunState.Pipeline] {
        pipelines.sorted { $0.key < $1.key }.map { name, pipeline in
            let tracks = pipeline.tracks.values.sorted { ($0.detector, $0.id) < ($1.detector, $1.id) }
            return RunState.Pipeline(
                name: name, highestTrack: pipeline.highestTrack, newestFrame: lines[pipeline.frame],
                tracks: tracks.compactMap { track in
                    guard let newest = lines[track.newest], let sighting = lines[track.sighting] else { return nil }
                    return RunState.LiveTrack(newest: newest, sighting: sighting)
                }, lines: pipeline.lines ?? LineTotals())
        }
    }

    // MARK: On disk

    init() {}

    /// - Returns: nil for invalid JSON.
    init?(json: [UInt8]) {
        guard let value = try? JSONDecoder().decode(LiveTracks.self, from: Data(json)) else { return nil }
        self = value
    }

    var json: [UInt8] { (try? JSONEncoder().encode(self)).map(Array.init) ?? [] }
}

extension LiveTracks.Pipeline {
    fileprivate mutating func count(_ crossing: EncodedEvent) {
        var totals = lines ?? LineTotals()
        totals.adopt(crossing)
        lines = totals
    }
}

extension LiveTracks.Track {
    fileprivate init(_ event: EncodedEvent, _ sequence: UInt64) {
        self.init(detector: event.detector, id: event.track, newest: sequence, sighting: sequence)
    }
}
