/// The names of a pipeline and its tags, which stand in each of its lines.
public struct PipelineIdentity: Sendable, Equatable {
    public var name: String
    /// In the order they are written.
    public var tags: [(key: String, value: String)]

    public init(name: String, tags: [String: String] = [:]) {
        self.name = name
        self.tags = tags.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) }
    }

    public static func == (left: PipelineIdentity, right: PipelineIdentity) -> Bool {
        left.name == right.name && left.tags.elementsEqual(right.tags, by: ==)
    }
}
