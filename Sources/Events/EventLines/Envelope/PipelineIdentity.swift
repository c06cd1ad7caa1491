// SPDX-License-Identifier: Apache-2.0
/// The name and the tags of a pipeline, which are part of each of its lines.
public struct PipelineIdentity: Sendable, Equatable {
    /// Unique in the daemon.
    public var name: String
    /// In the order in which they are written.
    public var tags: [(key: String, value: String)]

    /// Sorts the tags by key.
    public init(name: String, tags: [String: String] = [:]) {
        self.name = name
        self.tags = tags.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value) }
    }

    public static func == (left: PipelineIdentity, right: PipelineIdentity) -> Bool {
        left.name == right.name && left.tags.elementsEqual(right.tags, by: ==)
    }
}
