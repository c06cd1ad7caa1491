// SPDX-License-Identifier: Apache-2.0
/// The daemon's description of itself and its pipelines: the first line of a connection.
public struct Hello: Sendable, Hashable, Decodable {
    /// Program and version.
    public let server: String?
    /// The id of the run. Sequence numbers belong to it.
    public let runID: String
    /// The sequence number of the next event.
    public let nextSequence: UInt64
    /// The sequence numbers in the journal; nil if the journal is empty.
    public let journal: ClosedRange<UInt64>?
    /// The pipelines of the daemon.
    public let pipelines: [Pipeline]

    /// A pipeline and its state at the time of the connection.
    public struct Pipeline: Sendable, Hashable, Decodable {
        /// The name of the pipeline.
        public let name: String
        /// One of the values of `Source.state`.
        public let state: String?
        /// The reason of the state: `on_demand` if the pipeline is paused because it has no subscriber.
        public let reason: String?
        /// The detectors of the pipeline.
        public let detectors: [Detector]
        /// The names of its zones.
        public let zones: [String]
        /// Its lines to cross.
        public let lines: [Line]

        enum CodingKeys: String, CodingKey, CaseIterable {
            case name, state, reason, detectors, zones, lines
        }

        /// Fills absent members with nil or an empty list. Fails without `name`.
        public init(from decoder: any Decoder) throws {
            let form = try decoder.container(keyedBy: CodingKeys.self)
            name = try form.decode(String.self, forKey: .name)
            state = try form.decodeIfPresent(String.self, forKey: .state)
            reason = try form.decodeIfPresent(String.self, forKey: .reason)
            detectors = try form.decodeIfPresent([Detector].self, forKey: .detectors) ?? []
            zones = try form.decodeIfPresent([String].self, forKey: .zones) ?? []
            lines = try form.decodeIfPresent([Line].self, forKey: .lines) ?? []
        }
    }

    /// A detector of a pipeline. A member is nil while its value is unknown.
    public struct Detector: Sendable, Hashable, Decodable {
        /// The name of the detector, unique in its pipeline.
        public let name: String
        /// `face`, `barcode`, `object`, `scene`, or the kind of a program.
        public let kind: String?
        /// Whether the detector works.
        public let operational: Bool?
        /// The name of its model.
        public let model: String?
        /// The reason why it is not operational, or a remark about a fallback. A text for people.
        public let reason: String?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case name, kind, operational, model, reason
        }
    }

    /// A line to cross, and its crossings since the run began.
    public struct Line: Sendable, Hashable, Decodable {
        /// The name of the line.
        public let name: String
        /// Crossings from the left to the right of somebody who walks along the line.
        public let totalIn: Int
        /// Crossings in the other direction.
        public let totalOut: Int

        enum CodingKeys: String, CodingKey, CaseIterable {
            case name
            case totalIn = "in"
            case totalOut = "out"
        }
    }

    private struct Journal: Decodable {
        let first: UInt64
        let last: UInt64
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case server, journal, pipelines
        case runID = "run_id"
        case nextSequence = "next_seq"
    }

    /// Fails without `run_id` or `next_seq`. An empty journal gives a nil `journal`.
    public init(from decoder: any Decoder) throws {
        let form = try decoder.container(keyedBy: CodingKeys.self)
        server = try form.decodeIfPresent(String.self, forKey: .server)
        runID = try form.decode(String.self, forKey: .runID)
        nextSequence = try form.decode(UInt64.self, forKey: .nextSequence)
        let journal = try form.decodeIfPresent(Journal.self, forKey: .journal)
        self.journal = journal.flatMap { $0.first <= $0.last ? $0.first...$0.last : nil }
        pipelines = try form.decodeIfPresent([Pipeline].self, forKey: .pipelines) ?? []
    }
}

/// The live tracks. A list too long for one line is sent as several lines.
public struct State: Sendable, Hashable, Decodable {
    /// The sequence number of the newest event when the daemon wrote the line.
    public let asOf: UInt64?
    /// Each track as in its newest line; `phase` is `.missing` or `.update`.
    public let tracks: [Track]
    /// The newest line of each live search.
    public let searches: [Search]
    /// Whether another `State` follows with further tracks.
    public let hasMore: Bool

    /// A live track and its pipeline.
    public struct Track: Sendable, Hashable, Decodable {
        /// The newest line of the track.
        public let track: TrackEvent
        /// The name of the pipeline.
        public var pipeline: String { track.pipeline }

        /// Fails for an entry that is no line of a track.
        public init(from decoder: any Decoder) throws {
            track = try TrackEvent(nil, from: decoder)
        }
    }

    /// A live search and its pipeline.
    public struct Search: Sendable, Hashable, Decodable {
        /// The name of the pipeline.
        public let pipeline: String
        /// The newest line of the search.
        public let search: GlimpseClient.Search

        enum CodingKeys: String, CodingKey, CaseIterable {
            case pipeline
        }

        /// Fails for an entry that is no line of a search, or that names no pipeline.
        public init(from decoder: any Decoder) throws {
            pipeline = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .pipeline)
            search = try GlimpseClient.Search(from: decoder)
        }
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case tracks, searches, more
        case asOf = "as_of"
    }

    /// Fails without `tracks`. Fills other absent members with nil, an empty list or false.
    public init(from decoder: any Decoder) throws {
        let form = try decoder.container(keyedBy: CodingKeys.self)
        asOf = try form.decodeIfPresent(UInt64.self, forKey: .asOf)
        tracks = try form.decode([Track].self, forKey: .tracks)
        searches = try form.decodeIfPresent([Search].self, forKey: .searches) ?? []
        hasMore = try form.decodeIfPresent(Bool.self, forKey: .more) ?? false
    }
}

/// Events that this subscriber will not receive.
public struct Gap: Sendable, Hashable, Decodable {
    /// The first lost sequence number; nil if unknown.
    public let from: UInt64?
    /// The last lost sequence number; nil if unknown.
    public let to: UInt64?
    /// The number of lost events by type, over the whole log; nil if unknown.
    public let lost: [String: UInt64]?
    /// One of `slow`, `journal` (the events are older than the journal), `forgotten` (somebody removed events) and
    /// `other_run`.
    public let reason: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case from, to, lost, reason
    }
}

/// A connection that was lost or could not be made.
public struct Disconnection: Sendable, Hashable {
    /// A text for people.
    public let reason: String
    /// Whether the socket exists but this user may not connect to it.
    public let isForbidden: Bool
    /// The delay before the next attempt; nil if no attempt follows.
    public let retryAfter: Duration?
}
