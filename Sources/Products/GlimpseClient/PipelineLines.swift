/// What became of a pipeline's source.
public struct Source: Sendable, Hashable, Decodable {
    /// `connecting`, `connected`, `stalled`, `lost`, `retrying`, `ended`, `paused`, `disabled`.
    public let state: String
    public let attempt: Int?
    public let retryMilliseconds: Int?
    public let error: String?
    /// `on_demand`: paused because nobody subscribes.
    public let reason: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case state, attempt, error, reason
        case retryMilliseconds = "retry_ms"
    }
}

/// Whether a detector can work.
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

/// What became of a reload.
public struct Configuration: Sendable, Hashable, Decodable {
    /// Of the configuration that is in force.
    public let revision: UInt64?
    /// Pipelines that were started, replaced or removed.
    public let changed: [String]?
    public let error: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case revision, changed, error
    }
}
