/// A class that a model names.
public struct Label: Sendable, Equatable, Codable {
    public var text: String
    /// The model's own class index.
    public var index: Int
    /// 0...1.
    public var confidence: Float

    public init(text: String, index: Int, confidence: Float) {
        self.text = text
        self.index = index
        self.confidence = confidence
    }
}

/// What is known of an object besides its box.
public struct ObjectLabels: Sendable, Equatable, Codable {
    public var labels: [Label]

    public init(labels: [Label] = []) {
        self.labels = labels
    }
}

/// What a whole scene shows.
public struct SceneLabels: Sendable, Equatable, Codable {
    public var labels: [Label]

    public init(labels: [Label] = []) {
        self.labels = labels
    }
}
