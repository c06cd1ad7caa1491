// SPDX-License-Identifier: Apache-2.0
import EventLines
import FoundationEssentials
import Glibc
import JSONLines
import Observations

/// The log's state of one pipeline: its live tracks, its source and its detectors.
package struct PipelineLedger: Sendable {
    /// Identifies a track of the pipeline.
    struct Key: Hashable {
        var origin: EventOrigin
        var track: UInt64

        init(_ event: EncodedEvent) { (origin, track) = (event.header.origin, event.track) }

        init(detector: String, track: UInt64) {
            (origin, self.track) = (EventOrigin(detector: detector, feature: nil), track)
        }

        static func == (left: Key, right: Key) -> Bool {
            left.track == right.track
                && (left.origin === right.origin || left.origin.detector == right.origin.detector)
        }

        // Detectors share numbers. One value is faster than two.
        func hash(into hasher: inout Hasher) { hasher.combine(Int(truncatingIfNeeded: track) &+ origin.detectorHash) }
    }

    struct LiveTrack {
        private(set) var newest: EncodedEvent
        /// The newest event with a real position.
        var sighting: EncodedEvent { beforeMissing ?? newest }
        /// The last event before the track went missing; nil while it is in view.
        private var beforeMissing: EncodedEvent?
        /// The zones that contain the track, as far as they are counted.
        var zones: Set<String> = []

        init(newest: EncodedEvent, sighting: EncodedEvent? = nil) {
            self.newest = newest
            if newest.kind == .missing { beforeMissing = sighting }
        }

        mutating func record(_ event: EncodedEvent) {
            if event.kind == .missing {
                if beforeMissing == nil { beforeMissing = newest }
            } else if newest.kind == .missing {
                beforeMissing = nil
            }
            newest = event
        }
    }

    /// The highest number of live tracks. A worker with more is broken: further tracks are in the log, but not in
    /// `state`.
    package static let maximumLiveTracks = 4096
    package static let maximumDetectors = 64
    /// The highest track id and number of starts accepted, so that larger numbers remain available.
    private static let highestNumber = UInt64(Int64.max)

    /// The state of a detector from its newest `detector` line.
    package struct DetectorReport: Sendable {
        package var name: String
        package var isOperational: Bool
        fileprivate var line: EncodedEvent

        /// Writes the members `kind`, `operational`, `model`, `reason`, as far as they are known.
        package func encode(to json: inout JSONWriter) {
            guard let line = JSONMembers(line.body[...]) else { return }
            for name: FieldName in [.kind, .operational, .model, .reason] { json.copy(name, from: line) }
        }
    }

    package private(set) var identity: PipelineIdentity
    private(set) var places: PipelinePlaces
    /// From the newest `source` line.
    package private(set) var state = SourceEvent.State.connecting.rawValue
    /// From the newest `source` line.
    package private(set) var reason: String?
    /// The time of the first `source` line with `state` as a JSON string; nil before the first line.
    package private(set) var stateTime: [UInt8]?
    /// The newest error of a `source` line as a JSON string, including quotation marks.
    package private(set) var lastError: [UInt8]?
    /// The newest error of a `source` line as text.
    package var lastErrorText: String? { lastError.flatMap { try? JSONDecoder().decode(String.self, from: Data($0)) } }
    /// Whether the pipeline has left the configuration. Its events remain in the journal.
    private(set) var isRemoved = false
    private(set) var tracks: [Key: LiveTrack] = [:]
    /// The counts of the pipeline's tracks since it was added.
    package private(set) var counts = TrackCounts()
    /// In ascending order of names.
    package private(set) var detectors: [DetectorReport] = []
    /// The newest line with a frame.
    private(set) var newestFrame: EncodedEvent?
    /// The newest line of the live search of the current worker.
    private(set) var search: EncodedEvent?
    private(set) var highestTrack: UInt64 = 0
    /// The crossings of the pipeline's lines, which outlive its workers and configurations.
    private(set) var lines = LineTotals()
    /// The number of starts of the pipeline's worker by earlier processes and under earlier configurations.
    private(set) var earlierEpochs: UInt64 = 0
    private var starts: UInt64 = 0
    /// The prefixes of valid lines, indexed by `EncodedEvent.Kind.rawValue`; empty while the pipeline is removed.
    private var beginnings: [[UInt8]]

    init(identity: PipelineIdentity, places: PipelinePlaces = PipelinePlaces()) {
        self.identity = identity
        self.places = places
        beginnings = EventEncoder.beginnings(PipelineIdentity(name: identity.name))
    }

    /// Restores the state that another process recorded.
    init(_ pipeline: RunState.Pipeline) {
        self.init(identity: PipelineIdentity(name: pipeline.name))
        isRemoved = true
        highestTrack = pipeline.highestTrack
        lines = pipeline.lines
        newestFrame = pipeline.newestFrame
        // An absurd number from a broken worker is not a base for further counting.
        let epoch = pipeline.newestFrame.flatMap { TrackLine($0).epoch } ?? 0
        earlierEpochs = epoch <= Self.highestNumber ? epoch : 0
        for track in pipeline.tracks {
            tracks[Key(track.newest)] = LiveTrack(newest: track.newest, sighting: track.sighting)
            counts.began(track.newest.feature)
        }
    }

    /// Records an event.
    ///
    /// - Returns: false if the event is not a valid line of the pipeline; then nothing is recorded.
    mutating func take(_ event: EncodedEvent) -> Bool {
        guard event.kind != .config, event.kind.request.isEmpty, isLine(event) else { return false }
        record(event)
        return true
    }

    /// A crossing with its totals, for the log.
    mutating func count(_ crossing: EncodedEvent) -> EncodedEvent { lines.count(crossing) }

    /// Whether the event is a requested line of one of the pipeline's detectors.
    func hasRequestedLine(_ event: EncodedEvent) -> Bool {
        !event.kind.request.isEmpty && detectors.contains { $0.name == event.detector } && isLine(event)
    }

    /// Whether this pipeline's encoder can have written the event. So a broken worker cannot break the stream, nor send
    /// events of another pipeline.
    private func isLine(_ event: EncodedEvent) -> Bool {
        let kind = Int(event.kind.rawValue)
        guard beginnings.indices.contains(kind), Self.begins(event.body, with: beginnings[kind]),
            event.body.last == UInt8(ascii: "}"),
            event.body.count + EventEncoder.envelopeAllowance <= EventEncoder.maximumLineBytes,
            event.track <= Self.highestNumber
        else { return false }
        // A loop without an early exit processes many bytes per instruction.
        var lowest = UInt8.max
        for byte in event.body { lowest = min(lowest, byte) }
        return lowest >= 0x20
    }

    private static func begins(_ body: [UInt8], with beginning: [UInt8]) -> Bool {
        body.count >= beginning.count && memcmp(body, beginning, beginning.count) == 0
    }

    private mutating func record(_ event: EncodedEvent) {
        switch event.kind {
        case .detected, .update, .missing:
            newestFrame = event
            highestTrack = max(highestTrack, event.track)
            let key = Key(event)
            if let known = tracks.index(forKey: key) {
                tracks.values[known].record(event)
            } else if tracks.count < Self.maximumLiveTracks {
                tracks[key] = LiveTrack(newest: event)
                counts.began(event.feature)
            }
        case .completed:
            newestFrame = event
            highestTrack = max(highestTrack, event.track)
            counts.completed(event)
            end(Key(event))
        case .zone: record(zone: event)
        case .line: counts.crossed(event)
        case .source:
            guard let members = JSONMembers(event.body[...]) else { return }
            if let state = members.text(.state) {
                if state != self.state || stateTime == nil { stateTime = members[.time].map(Array.init) }
                self.state = state
            }
            reason = members.text(.reason)
            if let error = members[.error] { lastError = Array(error) }
        case .detector: record(detector: event)
        case .search: search = event
        // Lines of other kinds change nothing that the ledger keeps.
        default: break
        }
    }

    private mutating func record(zone event: EncodedEvent) {
        let key = Key(event)
        guard let members = JSONMembers(event.body[...]), let zone = members.string(.zone),
            let state = members.text(.state).flatMap(ZoneEvent.State.init), let index = tracks.index(forKey: key)
        else { return }
        let kind = tracks.values[index].newest.feature
        switch state {
        case .entered:
            guard !tracks.values[index].zones.contains(zone), counts.entered(zone, kind) else { return }
            tracks.values[index].zones.insert(zone)
        case .left: if tracks.values[index].zones.remove(zone) != nil { counts.left(zone, kind) }
        case .dwelling: break
        }
    }

    private mutating func end(_ key: Key) {
        guard let track = tracks.removeValue(forKey: key) else { return }
        counts.ended(track.newest.feature, in: track.zones)
    }

    private mutating func record(detector event: EncodedEvent) {
        let isOperational = JSONMembers(event.body[...])?[.operational]?.elementsEqual("true".utf8) ?? false
        let report = DetectorReport(name: event.detector, isOperational: isOperational, line: event)
        if let index = detectors.firstIndex(where: { $0.name == event.detector }) {
            detectors[index] = report
        } else if detectors.count < Self.maximumDetectors {
            detectors.insert(report, at: detectors.firstIndex { $0.name > event.detector } ?? detectors.endIndex)
        }
    }

    /// Gives the pipeline a new configuration under its name, and forgets the state of its source and detectors.
    mutating func configure(_ identity: PipelineIdentity, _ places: PipelinePlaces) {
        self.identity = identity
        self.places = places
        if isRemoved { beginnings = EventEncoder.beginnings(PipelineIdentity(name: identity.name)) }
        detectors = []
        search = nil
        (state, reason, stateTime) = (SourceEvent.State.connecting.rawValue, nil, nil)
        isRemoved = false
    }

    /// Records a new worker, which has not reported the state of its source yet.
    mutating func start() {
        starts += 1
        search = nil
        (state, reason, stateTime) = (SourceEvent.State.connecting.rawValue, nil, nil)
    }

    /// Removes the pipeline and its tracks. Keeps only the counters that stop a later pipeline of this name from
    /// reusing ids, because a run may have any number of names.
    mutating func remove() {
        isRemoved = true
        (identity, beginnings) = (PipelineIdentity(name: identity.name), [])
        places = PipelinePlaces()
        (tracks, detectors, newestFrame, search) = ([:], [], nil, nil)
        counts = TrackCounts()
        (reason, stateTime, lastError) = (nil, nil, nil)
        (earlierEpochs, starts) = (earlierEpochs + starts, 0)
    }

    /// Removes selected live tracks and searches. The next line of such a track makes it live again.
    mutating func forget(_ selection: ForgetSelection) {
        func isForgotten(_ event: EncodedEvent) -> Bool {
            selection.takes(pipeline: identity.name, detector: event.detector, track: event.track)
        }
        for (key, track) in tracks where isForgotten(track.newest) { end(key) }
        if let search, isForgotten(search) { self.search = nil }
        if let newestFrame, isForgotten(newestFrame) { self.newestFrame = tracks.values.first?.newest }
    }

    package var liveTracks: Int { tracks.count }

    func isLive(detector: String, track: UInt64) -> Bool { tracks[Key(detector: detector, track: track)] != nil }

    /// The live tracks, sorted by the detector's name, then by id.
    var orderedTracks: [(key: Key, value: LiveTrack)] {
        tracks.sorted { ($0.key.origin.detector, $0.key.track) < ($1.key.origin.detector, $1.key.track) }
    }
}
