/// What the daemon is, and what it runs.
public struct Hello: Sendable, Hashable, Decodable {
    /// Program and version.
    public let server: String?
    public let runID: String
    /// The number that the next event will have.
    public let nextSequence: UInt64
    /// The numbers that the journal holds; nil: none.
    public let journal: ClosedRange<UInt64>?
    public let pipelines: [Pipeline]

    public struct Pipeline: Sendable, Hashable, Decodable {
        public let name: String
        /// As in `Source`.
        public let state: String?
        public let reason: String?
        public let detectors: [Detector]

        enum CodingKeys: String, CodingKey, CaseIterable {
            case name, state, reason, detectors
        }

        public init(from decoder: any Decoder) throws {
            let form = try decoder.container(keyedBy: CodingKeys.self)
            name = try form.decode(String.self, forKey: .name)
            state = try form.decodeIfPresent(String.self, forKey: .state)
            reason = try form.decodeIfPresent(String.self, forKey: .reason)
            detectors = try form.decodeIfPresent([Detector].self, forKey: .detectors) ?? []
        }
    }

    public struct Detector: Sendable, Hashable, Decodable {
        public let name: String
        public let kind: String?
        public let operational: Bool?
        public let model: String?
        public let reason: String?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case name, kind, operational, model, reason
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

/// The live tracks. Where one line would be too long there are several.
public struct State: Sendable, Hashable, Decodable {
    /// The number of the newest event when it was written.
    public let asOf: UInt64?
    /// Each as its newest line says; `phase` is `.missing` or `.update`.
    public let tracks: [Track]
    /// The newest line of each live search.
    public let searches: [Search]
    /// Another `State` follows with more of the same.
    public let hasMore: Bool

    /// A live track and whose it is.
    public struct Track: Sendable, Hashable, Decodable {
        public let pipeline: String
        public let track: TrackEvent

        enum CodingKeys: String, CodingKey, CaseIterable {
            case pipeline
        }

        public init(from decoder: any Decoder) throws {
            pipeline = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .pipeline)
            track = try TrackEvent(nil, from: decoder)
        }
    }

    /// A live search and whose it is.
    public struct Search: Sendable, Hashable, Decodable {
        public let pipeline: String
        public let search: GlimpseClient.Search

        enum CodingKeys: String, CodingKey, CaseIterable {
            case pipeline
        }

        public init(from decoder: any Decoder) throws {
            pipeline = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .pipeline)
            search = try GlimpseClient.Search(from: decoder)
        }
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case tracks, searches, more
        case asOf = "as_of"
    }

    public init(from decoder: any Decoder) throws {
        let form = try decoder.container(keyedBy: CodingKeys.self)
        asOf = try form.decodeIfPresent(UInt64.self, forKey: .asOf)
        tracks = try form.decode([Track].self, forKey: .tracks)
        searches = try form.decodeIfPresent([Search].self, forKey: .searches) ?? []
        hasMore = try form.decodeIfPresent(Bool.self, forKey: .more) ?? false
    }
}

/// What this reader will not get.
public struct Gap: Sendable, Hashable, Decodable {
    /// The first and the last number; nil: nobody knows.
    public let from: UInt64?
    public let to: UInt64?
    /// How many of each type, over all of the log; nil: nobody knows.
    public let lost: [String: UInt64]?
    /// `slow`, `journal` (older than what is kept), `other_run`.
    public let reason: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case from, to, lost, reason
    }
}

/// A connection that was lost, or could not be made.
public struct Disconnection: Sendable, Hashable {
    /// For people.
    public let reason: String
    /// There is a socket, and this user may not connect to it.
    public let isForbidden: Bool
    /// When it is tried again; nil: it is not.
    public let retryAfter: Duration?
}
