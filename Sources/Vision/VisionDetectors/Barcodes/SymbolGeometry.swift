// SPDX-License-Identifier: Apache-2.0
import Glibc
import Observations

extension Quadrilateral {
    /// x and y of the four corners.
    var coordinates: [Float] { points.flatMap { [$0.x, $0.y] } }

    /// - Parameter c: x and y of the four corners.
    init(coordinates c: [Float]) {
        func point(_ index: Int) -> Point { Point(x: c[2 * index], y: c[2 * index + 1]) }
        self.init(topLeft: point(0), topRight: point(1), bottomRight: point(2), bottomLeft: point(3))
    }

    func moved(by offset: Point) -> Quadrilateral {
        Quadrilateral(coordinates: points.flatMap { [$0.x + offset.x, $0.y + offset.y] })
    }

    /// The smallest box around it; empty at the origin when a corner is not finite.
    var box: Box { Box(around: points) ?? Box(x: 0, y: 0, width: 0, height: 0) }

    /// The angle of the reading line: degrees clockwise in -180...180.
    var orientation: Float {
        atan2f(
            topRight.y + bottomRight.y - topLeft.y - bottomLeft.y, topRight.x + bottomRight.x - topLeft.x - bottomLeft.x
        )
            * 180 / .pi
    }

    /// Square pixels; half the cross product of the diagonals.
    var area: Float {
        let (a, b) = (
            Point(x: bottomRight.x - topLeft.x, y: bottomRight.y - topLeft.y),
            Point(x: bottomLeft.x - topRight.x, y: bottomLeft.y - topRight.y)
        )
        return abs(a.x * b.y - a.y * b.x) / 2
    }

    /// The largest distance between corners of the same name.
    func largestOffset(from other: Quadrilateral) -> Float {
        zip(points, other.points).map { ($0.x - $1.x, $0.y - $1.y) }.map { ($0 * $0 + $1 * $1).squareRoot() }.max() ?? 0
    }
}

extension Box {
    /// With room for a quiet zone and what a reader needs around it, and on each side twice `margin`.
    func widened(by margin: Point = Point(x: 0, y: 0)) -> Box {
        let room = 0.12 * max(width, height) + 8
        return grown(byX: room + 2 * margin.x, y: room + 2 * margin.y)
    }
}
