/// The state of a pipeline's live search.
public struct Search: Sendable, Hashable, Decodable {
    public let detector: String
    public let kind: String
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
    public let box: Box?
    public let barcode: Barcode?
    public let object: Labels?
    /// `results`, `value`, `no_results`, `low_confidence`, `failed`.
    public let outcome: String?
    /// Best first.
    public let results: [Result]
    /// The reason of a failure: `timeout`, `network`, `response`, `engine`, `crop`.
    public let reason: String?
    public let retryable: Bool?
    public let error: String?
    public let hint: Hint?

    public struct Result: Sendable, Hashable, Decodable {
        public let id: String
        public let title: String
        public let confidence: Double
        public let picture: String?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case id, title, confidence, picture
        }
    }

    /// Advice for people: a stable code and a text.
    public struct Hint: Sendable, Hashable, Decodable {
        public let code: String
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
