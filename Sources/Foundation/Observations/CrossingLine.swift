// SPDX-License-Identifier: Apache-2.0
/// A line in the picture that tracks cross.
public struct CrossingLine: Sendable, Hashable {
    /// The number of lines that a pipeline may have.
    package static let most = 32

    /// As somebody sees it who walks on the screen from `from` to `to`.
    public enum Direction: String, Sendable, CaseIterable {
        /// From the left to the right.
        case `in`
        /// From the right to the left.
        case out
    }

    /// The name, unique in a pipeline.
    public var name: String
    /// The ends of the line, in 0...1 of the upright picture; two different points.
    public var from: Point
    /// The end of the line, in 0...1 of the upright picture.
    public var to: Point
    /// The point of a track's box that crosses.
    public var anchor: Zone.Anchor
    /// The distance past the line at which a crossing counts, as a proportion of the picture's width.
    public var hysteresis: Float
    /// The kinds of feature that are counted; empty: all.
    public var kinds: Set<FeatureKind>
    /// The best labels of the tracks that are counted; empty: all.
    public var labels: Set<String>

    /// Does not check the ranges. Settings are checked when their file is read.
    public init(
        name: String, from: Point, to: Point, anchor: Zone.Anchor = .bottom, hysteresis: Float = 0.02,
        kinds: Set<FeatureKind> = [], labels: Set<String> = []
    ) {
        self.name = name
        self.from = from
        self.to = to
        self.anchor = anchor
        self.hysteresis = hysteresis
        self.kinds = kinds
        self.labels = labels
    }
}

extension Zone.Anchor {
    /// The point of a box that counts.
    package func point(of box: Box) -> Point {
        switch self {
        case .centre: box.center
        case .bottom: Point(x: box.x + box.width / 2, y: box.maxY)
        }
    }
}
