// SPDX-License-Identifier: Apache-2.0
/// The state of a pipeline's live search.
public struct Search: Sendable, Hashable, Decodable {
    /// The name of the detector whose tracks are searched for.
    public let detector: String
    /// `object` or `barcode`.
    public let kind: String
    /// The frame at which the state was reached.
    public let frame: TrackEvent.Frame
    /// `not_started`, `detecting`, `detected`, `too_small`, `confirming`, `confirmed`, `searching`, `searched`,
    /// `search_failed`, `timed_out`.
    public let state: String
    /// 0...1, in `confirming`, `confirmed` and `too_small`; in `too_small` it is the progress of the size.
    public let progress: Double?
    /// The search's id, which an answer names.
    public let id: String?
    /// The id of the track that the search is about.
    public let track: String?
    /// A file with a picture of the object.
    public let crop: String?
    /// The place of the object in pixels; from `searching` on its place at the confirmation.
    public let box: Box?
    /// The searched barcode, from `searching` on.
    public let barcode: Barcode?
    /// The labels of the searched object, from `searching` on.
    public let object: Labels?
    /// `results`, `value`, `no_results`, `low_confidence`, `failed`.
    public let outcome: String?
    /// Best first.
    public let results: [Result]
    /// The reason of a failure: `timeout`, `network`, `response`, `engine`, `crop`.
    public let reason: String?
    /// Whether the command `retry` may help, for a failure.
    public let retryable: Bool?
    /// The text of a failure, for people.
    public let error: String?
    /// Advice for people. Every line of the daemon has one.
    public let hint: Hint?

    /// One answer of the search engine.
    public struct Result: Sendable, Hashable, Decodable {
        /// The id of the answer, as the engine gives it.
        public let id: String
        /// The title for people.
        public let title: String
        /// 0...1.
        public let confidence: Double
        /// The path or the address of a picture.
        public let picture: String?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case id, title, confidence, picture
        }
    }

    /// Advice for people: a stable code and a text.
    public struct Hint: Sendable, Hashable, Decodable {
        /// A stable code, such as `hold_still`.
        public let code: String
        /// A short English text. It may change in any version.
        public let text: String
        /// The address of a help page, in `timed_out` and `search_failed`.
        public let help: String?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case code, text, help
        }
    }

    private struct TrackName: Decodable {
        var id: String
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case detector, kind, frame, state, progress, search, track, crop, box, barcode, object, outcome, results, reason
        case retryable, error, hint
    }

    public init(from decoder: any Decoder) throws {
        let line = try decoder.container(keyedBy: CodingKeys.self)
        detector = try line.decode(String.self, forKey: .detector)
        kind = try line.decode(String.self, forKey: .kind)
        frame = try line.decode(TrackEvent.Frame.self, forKey: .frame)
        state = try line.decode(String.self, forKey: .state)
        progress = try line.decodeIfPresent(Double.self, forKey: .progress)
        id = try line.decodeIfPresent(String.self, forKey: .search)
        track = try line.decodeIfPresent(TrackName.self, forKey: .track)?.id
        crop = try line.decodeIfPresent(String.self, forKey: .crop)
        box = try line.decodeIfPresent(Box.self, forKey: .box)
        barcode = try line.decodeIfPresent(Barcode.self, forKey: .barcode)
        object = try line.decodeIfPresent(Labels.self, forKey: .object)
        outcome = try line.decodeIfPresent(String.self, forKey: .outcome)
        results = try line.decodeIfPresent([Result].self, forKey: .results) ?? []
        reason = try line.decodeIfPresent(String.self, forKey: .reason)
        retryable = try line.decodeIfPresent(Bool.self, forKey: .retryable)
        error = try line.decodeIfPresent(String.self, forKey: .error)
        hint = try line.decodeIfPresent(Hint.self, forKey: .hint)
    }
}
