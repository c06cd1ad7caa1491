import Observations

/// What the log knows of one pipeline: its live tracks, and how it and its detectors are.
struct PipelineLedger: Sendable {
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
    static let maximumLiveTracks = 4096
    static let maximumDetectors = 64

    let identity: PipelineIdentity
    private(set) var state = SourceEvent.State.connecting.rawValue
    private(set) var tracks: [Key: LiveTrack] = [:]
    /// The newest `detector` line of each detector, by ascending name.
    private(set) var detectors: [(name: String, line: EncodedEvent)] = []
    /// The newest line with a frame.
    private(set) var newestFrame: EncodedEvent?
    private(set) var highestTrack: UInt64 = 0
    private(set) var beginning: [EncodedEvent.Kind: [UInt8]]

    init(identity: PipelineIdentity) {
        self.identity = identity
        var beginning: [EncodedEvent.Kind: [UInt8]] = [:]
        for kind in EncodedEvent.Kind.allCases {
            var json = JSONWriter(reservingCapacity: 64)
            json.object { json in
                json.member("type", kind.name)
                json.member("pipeline", identity.name)
            }
            beginning[kind] = Array(json.bytes.dropFirst().dropLast())
        }
        self.beginning = beginning
    }

    /// Whether the event is a line that this pipeline's encoder can have written: a worker that has run wild cannot break the stream,
    /// nor speak for another pipeline.
    func accepts(_ event: EncodedEvent) -> Bool {
        guard let beginning = beginning[event.kind], event.body.starts(with: beginning),
            event.body.last == UInt8(ascii: "}"), event.body.count < EventEncoder.maximumLineBytes
        else { return false }
        return !event.body.contains { $0 < 0x20 }
    }

    mutating func record(_ event: EncodedEvent) {
        switch event.kind {
        case .detected, .update, .missing:
            newestFrame = event
            highestTrack = max(highestTrack, event.track)
            let key = Key(detector: event.detector, track: event.track)
            if event.kind == .missing, let known = tracks[key] {
                tracks[key] = LiveTrack(newest: event, sighting: known.sighting)
            } else if tracks[key] != nil || tracks.count < Self.maximumLiveTracks {
                tracks[key] = LiveTrack(newest: event, sighting: event)
            }
        case .completed:
            newestFrame = event
            highestTrack = max(highestTrack, event.track)
            tracks[Key(detector: event.detector, track: event.track)] = nil
        case .source:
            if let state = JSONMembers(event.body[...])?.text("state") { self.state = state }
        case .detector:
            if let index = detectors.firstIndex(where: { $0.name == event.detector }) {
                detectors[index].line = event
            } else if detectors.count < Self.maximumDetectors {
                let index = detectors.firstIndex { $0.name > event.detector } ?? detectors.endIndex
                detectors.insert((event.detector, event), at: index)
            }
        case .explain: break
        }
    }

    /// Live tracks by detector's name, then id.
    var orderedTracks: [(key: Key, value: LiveTrack)] {
        tracks.sorted { ($0.key.detector, $0.key.track) < ($1.key.detector, $1.key.track) }
    }
}
