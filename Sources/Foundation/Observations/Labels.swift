// SPDX-License-Identifier: Apache-2.0
/// A class that a model names.
public struct Label: Sendable, Equatable, Codable {
    /// The name of the class.
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

/// The attributes of an object apart from its box.
public struct ObjectLabels: Sendable, Equatable, Codable {
    /// Best first; empty where the object was not classified, or nothing fits.
    public var labels: [Label]
    /// nil where the object was not classified.
    public var category: ObjectCategory?
    /// The single largest object near the centre (`Box.prominence`).
    public var isProminent: Bool
    /// A first answer of a stream: the box and the class may still change much.
    public var isIncomplete: Bool

    public init(
        labels: [Label] = [], category: ObjectCategory? = nil, isProminent: Bool = false, isIncomplete: Bool = false
    ) {
        self.labels = labels
        self.category = category
        self.isProminent = isProminent
        self.isIncomplete = isIncomplete
    }
}

/// The labels of a whole scene.
public struct SceneLabels: Sendable, Equatable, Codable {
    /// Best first.
    public var labels: [Label]

    public init(labels: [Label] = []) {
        self.labels = labels
    }
}
