// SPDX-License-Identifier: Apache-2.0
/// A part of the picture that is painted flat grey before anything sees the picture.
public struct Mask: Sendable, Hashable {
    /// How many a pipeline may have.
    package static let most = 32

    /// The name, unique in a pipeline.
    public var name: String
    /// Corners in 0...1 of the upright picture, at least three, in either direction, without edges that cross.
    public var polygon: [Point]

    public init(name: String, polygon: [Point]) {
        self.name = name
        self.polygon = polygon
    }
}
