// SPDX-License-Identifier: Apache-2.0
/// A point in pixels of the upright picture, origin top left; or a vector in pixels (or pixels per second, where said).
public struct Point: Sendable, Hashable, Codable {
    /// The distance from the left edge, or the horizontal part of a vector.
    public var x: Float
    /// The distance from the upper edge, or the vertical part of a vector.
    public var y: Float

    public init(x: Float, y: Float) {
        self.x = x
        self.y = y
    }

    /// Whether both coordinates are finite.
    public var isFinite: Bool { x.isFinite && y.isFinite }
}

/// An axis-aligned rectangle, origin top left. In pixels of the upright picture unless a name says *normalised*: then
/// 0...1.
public struct Box: Sendable, Hashable, Codable {
    /// The left edge.
    public var x: Float
    /// The upper edge.
    public var y: Float
    /// The width.
    public var width: Float
    /// The height.
    public var height: Float

    private enum CodingKeys: String, CodingKey {
        case x, y
        case width = "w"
        case height = "h"
    }

    /// Does not check the sign of width and height.
    public init(x: Float, y: Float, width: Float, height: Float) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The middle.
    public var center: Point { Point(x: x + width / 2, y: y + height / 2) }
    /// Width times height.
    public var area: Float { width * height }
    /// The right edge.
    public var maxX: Float { x + width }
    /// The lower edge.
    public var maxY: Float { y + height }

    /// Finite, with a positive width and height.
    public var isValid: Bool {
        x.isFinite && y.isFinite && width.isFinite && height.isFinite && width > 0 && height > 0
    }

    /// The area that both boxes cover; 0 when they do not meet.
    public func intersectionArea(_ other: Box) -> Float {
        let w = min(maxX, other.maxX) - max(x, other.x)
        let h = min(maxY, other.maxY) - max(y, other.y)
        return w > 0 && h > 0 ? w * h : 0
    }

    /// Intersection over union, 0...1.
    public func intersectionOverUnion(_ other: Box) -> Float {
        let common = intersectionArea(other)
        let union = area + other.area - common
        return union > 0 ? common / union : 0
    }

    /// How much a box stands out in a picture of `width` x `height` pixels: its share of the picture's area times its
    /// centrality. The centrality is 1 where the centres meet. It falls with their distance to 0 in a corner, but is at
    /// least 0.001, so that no box is nothing.
    ///
    /// "The single largest object near the center" (Material Design) and "the largest, most central" face (Mobile
    /// Vision) have no public formula; this is the project's.
    public func prominence(width: Float, height: Float) -> Float {
        area / (width * height) * centrality(width: width, height: height)
    }

    /// The second factor of `prominence`, 0.001...1.
    public func centrality(width: Float, height: Float) -> Float {
        let (dx, dy) = (center.x - width / 2, center.y - height / 2)
        let farthest = (width * width + height * height).squareRoot() / 2
        return max(0.001, 1 - (dx * dx + dy * dy).squareRoot() / farthest)
    }

    /// The part of the box within a picture of `width` x `height` pixels; nil when nothing is.
    public func clipped(width: Float, height: Float) -> Box? {
        let left = max(0, x)
        let top = max(0, y)
        let right = min(width, maxX)
        let bottom = min(height, maxY)
        guard right > left, bottom > top else { return nil }
        return Box(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// The box with `dx`, `dy` pixels more on every side.
    public func grown(byX dx: Float, y dy: Float) -> Box {
        Box(x: x - dx, y: y - dy, width: width + 2 * dx, height: height + 2 * dy)
    }

    /// The smallest box around points; nil without points, or if one is not finite.
    public init?(around points: [Point]) {
        guard let first = points.first, points.allSatisfy(\.isFinite) else { return nil }
        var (left, top, right, bottom) = (first.x, first.y, first.x, first.y)
        for point in points.dropFirst() {
            left = min(left, point.x)
            top = min(top, point.y)
            right = max(right, point.x)
            bottom = max(bottom, point.y)
        }
        self.init(x: left, y: top, width: right - left, height: bottom - top)
    }
}

/// Four corners in the symbol's own order: top left, top right, bottom right, bottom left.
public struct Quadrilateral: Sendable, Hashable, Codable {
    /// The symbol's own top left corner, in pixels of the upright picture.
    public var topLeft: Point
    /// The symbol's own top right corner.
    public var topRight: Point
    /// The symbol's own bottom right corner.
    public var bottomRight: Point
    /// The symbol's own bottom left corner.
    public var bottomLeft: Point

    public init(topLeft: Point, topRight: Point, bottomRight: Point, bottomLeft: Point) {
        self.topLeft = topLeft
        self.topRight = topRight
        self.bottomRight = bottomRight
        self.bottomLeft = bottomLeft
    }

    /// In the order of the properties.
    public var points: [Point] { [topLeft, topRight, bottomRight, bottomLeft] }
}
