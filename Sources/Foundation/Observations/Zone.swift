// SPDX-License-Identifier: Apache-2.0
/// A part of the picture that has a name.
public struct Zone: Sendable, Hashable {
    /// The point of a track's box that is in a zone or is not.
    public enum Anchor: String, Sendable, CaseIterable {
        /// The middle of the box.
        case centre
        /// The middle of the lower edge: where what stands on the ground stands.
        case bottom
    }

    /// How many a pipeline may have.
    package static let most = 32

    /// The name, unique in a pipeline.
    public var name: String
    /// Corners in 0...1 of the upright picture, at least three, in either direction, without edges that cross.
    public var polygon: [Point]
    /// The kinds of feature that can be in it; empty: all.
    public var kinds: Set<FeatureKind>
    /// The point of a box that must be inside.
    public var anchor: Anchor
    /// How far outside a track has to be to have left, in 0...1 of the picture's width and height.
    public var hysteresis: Float
    /// The time in the zone after which a track gets a `dwelling` line, in nanoseconds of the frames' time; 0: never.
    public var dwell: Int64

    /// Does not check the ranges. Settings are checked when their file is read.
    public init(
        name: String, polygon: [Point], kinds: Set<FeatureKind> = [], anchor: Anchor = .centre,
        hysteresis: Float = 0.02, dwell: Int64 = 0
    ) {
        self.name = name
        self.polygon = polygon
        self.kinds = kinds
        self.anchor = anchor
        self.hysteresis = hysteresis
        self.dwell = dwell
    }

    /// How far from an edge a point may be and still be on it. So a zone that reaches the picture's edge contains the
    /// points that are clipped there.
    private static let edgeWidth: Float = 1e-5

    /// Whether a point in 0...1 is inside or on an edge. Source: the crossing number of a ray to the right (Shimrat,
    /// "Algorithm 112", CACM 5, 1962).
    public func contains(_ point: Point) -> Bool {
        var isInside = false
        var previous = polygon.count - 1
        for index in polygon.indices {
            let (a, b) = (polygon[index], polygon[previous])
            previous = index
            guard (a.y > point.y) != (b.y > point.y) else { continue }
            if point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x { isInside.toggle() }
        }
        return isInside || distanceFromEdge(point) <= Self.edgeWidth
    }

    /// The distance of a point in 0...1 from the nearest edge.
    public func distanceFromEdge(_ point: Point) -> Float {
        var nearest = Float.infinity
        var previous = polygon.count - 1
        for index in polygon.indices {
            nearest = min(nearest, Self.squaredDistance(point, polygon[previous], polygon[index]))
            previous = index
        }
        return nearest.squareRoot()
    }

    private static func squaredDistance(_ point: Point, _ a: Point, _ b: Point) -> Float {
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let length = dx * dx + dy * dy
        let along = length > 0 ? max(0, min(1, ((point.x - a.x) * dx + (point.y - a.y) * dy) / length)) : 0
        let (x, y) = (point.x - a.x - along * dx, point.y - a.y - along * dy)
        return x * x + y * y
    }
}
