/// A change in the state of a pipeline's source.
public struct Source: Sendable, Hashable, Decodable {
    /// `connecting`, `connected`, `idle`, `stalled`, `lost`, `retrying`, `ended`, `paused`, `disabled`.
    public let state: String
    public let attempt: Int?
    public let retryMilliseconds: Int?
    public let error: String?
    /// `on_demand`: the pipeline is paused because it has no subscriber.
    public let reason: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case state, attempt, error, reason
        case retryMilliseconds = "retry_ms"
    }
}

/// Whether a detector is operational.
public struct Detector: Sendable, Hashable, Decodable {
    public let detector: String
    public let kind: String?
    public let operational: Bool
    public let model: String?
    public let reason: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case detector, kind, operational, model, reason
    }
}

/// The result of a reload.
public struct Configuration: Sendable, Hashable, Decodable {
    /// The revision of the configuration in force.
    public let revision: UInt64?
    /// Pipelines that were started, replaced or removed.
    public let changed: [String]?
    public let error: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case revision, changed, error
    }
}
