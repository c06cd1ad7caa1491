import EventLines
import FoundationEssentials
import JSONLines
import Observations

/// What the log knows of one pipeline: its live tracks, and how it and its detectors are.
package struct PipelineLedger: Sendable {
    struct Key: Hashable {
        var detector: String
        var track: UInt64
    }

    struct LiveTrack {
        var newest: EncodedEvent
        /// The newest event with a real position: `newest`, or while the track is missing, the one before that.
        var sighting: EncodedEvent
    }

    /// A worker with more live tracks than this is broken; what is beyond goes into the log, but not into `state`.
    package static let maximumLiveTracks = 4096
    package static let maximumDetectors = 64
    /// Of tracks and starts: there are numbers after it.
    private static let highestNumber = UInt64(Int64.max)

    /// How a detector is: what its newest `detector` line says.
    package struct DetectorReport: Sendable {
        package var name: String
        package var isOperational: Bool
        fileprivate var line: EncodedEvent

        /// Members `kind`, `operational`, `model`, `reason`, as far as they are known.
        package func encode(to json: inout JSONWriter) {
            guard let line = JSONMembers(line.body[...]) else { return }
            for name: FieldName in [.kind, .operational, .model, .reason] { json.copy(name, from: line) }
        }
    }

    package private(set) var identity: PipelineIdentity
    /// The newest `source` line's.
    package private(set) var state = SourceEvent.State.connecting.rawValue
    /// The newest `source` line's.
    package private(set) var reason: String?
    /// The newest error of a `source` line, as a JSON string, quotation marks included.
    package private(set) var lastError: [UInt8]?
    /// The same as text.
    package var lastErrorText: String? { lastError.flatMap { try? JSONDecoder().decode(String.self, from: Data($0)) } }
    /// It is no part of the configuration any more. What it said is still in the journal.
    private(set) var isRemoved = false
    private(set) var tracks: [Key: LiveTrack] = [:]
    /// By ascending name.
    package private(set) var detectors: [DetectorReport] = []
    /// The newest line with a frame.
    private(set) var newestFrame: EncodedEvent?
    /// The newest line of its live search, by the worker that runs.
    private(set) var search: EncodedEvent?
    private(set) var highestTrack: UInt64 = 0
    /// Starts of its worker by processes before this one, and while it was part of an earlier configuration.
    private(set) var earlierEpochs: UInt64 = 0
    private var starts: UInt64 = 0
    /// What a line of each kind begins with, by `EncodedEvent.Kind.rawValue`; empty while it is removed.
    private var beginnings: [[UInt8]]

    init(identity: PipelineIdentity) {
        self.identity = identity
        beginnings = EventEncoder.beginnings(PipelineIdentity(name: identity.name))
    }

    /// As another process left it.
    init(_ pipeline: RunState.Pipeline) {
        self.init(identity: PipelineIdentity(name: pipeline.name))
        isRemoved = true
        highestTrack = pipeline.highestTrack
        newestFrame = pipeline.newestFrame
        // What a worker that had run wild said of itself is no number to count on from.
        let epoch = pipeline.newestFrame.flatMap { TrackLine($0).epoch } ?? 0
        earlierEpochs = epoch <= Self.highestNumber ? epoch : 0
        for track in pipeline.tracks {
            tracks[Key(detector: track.newest.detector, track: track.newest.track)] = LiveTrack(
                newest: track.newest, sighting: track.sighting)
        }
    }

    /// Notes what the event says.
    ///
    /// - Returns: false, with nothing noted, when it is none of the pipeline's lines.
    mutating func take(_ event: EncodedEvent) -> Bool {
        guard event.kind != .config, event.kind != .frame, isLine(event) else { return false }
        record(event)
        return true
    }

    /// Whether the event is a frame's line of one of its detectors.
    func hasFrameLine(_ event: EncodedEvent) -> Bool {
        event.kind == .frame && detectors.contains { $0.name == event.detector } && isLine(event)
    }

    /// Whether the event is a line that this pipeline's encoder can have written: a worker that has run wild cannot break the stream,
    /// nor speak for another pipeline.
    private func isLine(_ event: EncodedEvent) -> Bool {
        let kind = Int(event.kind.rawValue)
        guard beginnings.indices.contains(kind), event.body.starts(with: beginnings[kind]),
            event.body.last == UInt8(ascii: "}"),
            event.body.count + EventEncoder.envelopeAllowance <= EventEncoder.maximumLineBytes,
            event.track <= Self.highestNumber
        else { return false }
        // Without an early end it is done many bytes at a time.
        var lowest = UInt8.max
        for byte in event.body { lowest = min(lowest, byte) }
        return lowest >= 0x20
    }

    private mutating func record(_ event: EncodedEvent) {
        switch event.kind {
        case .detected, .update, .missing:
            newestFrame = event
            highestTrack = max(highestTrack, event.track)
            let key = Key(detector: event.detector, track: event.track)
            if let known = tracks.index(forKey: key) {
                tracks.values[known].newest = event
                if event.kind != .missing { tracks.values[known].sighting = event }
            } else if tracks.count < Self.maximumLiveTracks {
                tracks[key] = LiveTrack(newest: event, sighting: event)
            }
        case .completed:
            newestFrame = event
            highestTrack = max(highestTrack, event.track)
            tracks[Key(detector: event.detector, track: event.track)] = nil
        case .source:
            guard let members = JSONMembers(event.body[...]) else { return }
            if let state = members.text(.state) { self.state = state }
            reason = members.text(.reason)
            if let error = members[.error] { lastError = Array(error) }
        case .detector: record(detector: event)
        case .search: search = event
        case .config, .explain, .zone, .snapshot, .frame: break
        }
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

    /// Its configuration is another from now on; the name stays. What was known of its source and detectors
    /// is forgotten.
    mutating func configure(_ identity: PipelineIdentity) {
        self.identity = identity
        if isRemoved { beginnings = EventEncoder.beginnings(PipelineIdentity(name: identity.name)) }
        detectors = []
        search = nil
        (state, reason) = (SourceEvent.State.connecting.rawValue, nil)
        isRemoved = false
    }

    /// It has a new worker, which has yet to say how its source is.
    mutating func start() {
        starts += 1
        search = nil
        (state, reason) = (SourceEvent.State.connecting.rawValue, nil)
    }

    /// It has ended, and its tracks with it. Of it stays what keeps a later one of its name from using a number twice: there may be any number of names in a run.
    mutating func remove() {
        isRemoved = true
        (identity, beginnings) = (PipelineIdentity(name: identity.name), [])
        (tracks, detectors, newestFrame, search) = ([:], [], nil, nil)
        (reason, lastError) = (nil, nil)
        (earlierEpochs, starts) = (earlierEpochs + starts, 0)
    }

    package var liveTracks: Int { tracks.count }

    func isLive(detector: String, track: UInt64) -> Bool { tracks[Key(detector: detector, track: track)] != nil }

    /// Live tracks by detector's name, then id.
    var orderedTracks: [(key: Key, value: LiveTrack)] {
        tracks.sorted { ($0.key.detector, $0.key.track) < ($1.key.detector, $1.key.track) }
    }
}
