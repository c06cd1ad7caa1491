// SPDX-License-Identifier: Apache-2.0
/// A change in the state of a pipeline's source.
public struct Source: Sendable, Hashable, Decodable {
    /// `connecting`, `connected`, `idle`, `stalled`, `lost`, `retrying`, `ended`, `paused`, `disabled`.
    public let state: String
    /// The number of the attempt to connect, from 1 on; nil for other states.
    public let attempt: Int?
    /// The delay before the next attempt, in milliseconds; nil for other states.
    public let retryMilliseconds: Int?
    /// The reason of a loss, for people. Its text may change in any version.
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
    /// The name of the detector.
    public let detector: String
    /// The kind of its features.
    public let kind: String?
    /// Whether the detector works.
    public let operational: Bool
    /// The name of its model.
    public let model: String?
    /// The reason why it is not operational, or a remark about a fallback. A text for people.
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
    /// The reason of a refused or reversed reload, for people; nil if the reload is in force.
    public let error: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case revision, changed, error
    }
}
