// SPDX-License-Identifier: Apache-2.0
/// One thing that an engine takes the object for.
public struct SearchResult: Sendable, Equatable {
    /// The engine's own name for it, at most 512 bytes of UTF-8.
    public var id: String
    /// For people, at most 512 bytes of UTF-8.
    public var title: String
    /// 0...1.
    public var confidence: Float
    /// A file's path or an address of a picture of it, at most 1024 bytes.
    public var picture: String?
    /// The engine's own data: one valid JSON value as text, at most 2048 bytes.
    public var payload: String?

    public init(id: String, title: String, confidence: Float, picture: String? = nil, payload: String? = nil) {
        self.id = id
        self.title = title
        self.confidence = confidence
        self.picture = picture
        self.payload = payload
    }
}

/// An engine's answer before the session has judged it. The threshold, the order and `top_only` belong to the session,
/// so that they are equal for every engine and for a replay.
public enum SearchAnswer: Sendable, Equatable {
    /// In any order; empty: it knows nothing like it. Beyond `SearchLimits.results` the best are kept.
    case results([SearchResult])
    case failed(SearchFailure)
}

/// A search without an answer.
public struct SearchFailure: Error, Sendable, Equatable {
    public enum Reason: String, Sendable, CaseIterable {
        /// Nothing came in time.
        case timeout
        /// The engine cannot be reached: connection, TLS, a redirect that is not allowed, a status that is none of
        /// success.
        case network
        /// The response is not an answer: not JSON, not the schema, or too large.
        case response
        /// The engine cannot work: a model or an index that is missing, an answer of its own that says so.
        case engine
        /// The object's picture could not be made.
        case crop
    }

    public var reason: Reason
    /// Whether asking the same again may help.
    public var retryable: Bool
    /// For people, without secrets. At most 512 bytes are reported.
    public var message: String?

    public init(_ reason: Reason, retryable: Bool, message: String? = nil) {
        self.reason = reason
        self.retryable = retryable
        self.message = message
    }
}

/// How much of an answer is taken.
public enum SearchLimits {
    /// Greatest number of results.
    public static let results = 20
    /// Greatest length of an id or a title in bytes of UTF-8.
    public static let textBytes = 512
    /// Greatest length of a picture's path or address in bytes of UTF-8.
    public static let pictureBytes = 1024
    /// Greatest length of a payload in bytes of JSON.
    public static let payloadBytes = 2048
}
