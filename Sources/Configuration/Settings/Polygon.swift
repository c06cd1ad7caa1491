// SPDX-License-Identifier: Apache-2.0
import Observations

/// Checks the corners of a polygon.
enum Polygon {
    /// Two edges that share a point other than the corner between them. Each edge has the number of the corner that it
    /// starts from, counted from 0.
    ///
    /// Edges that go back on themselves and corners that are given twice count too. So a polygon without a crossing
    /// encloses something.
    static func crossing(_ corners: [Point]) -> (Int, Int)? {
        let count = corners.count
        func edge(_ index: Int) -> (Point, Point) { (corners[index], corners[(index + 1) % count]) }
        for first in 0..<count {
            for second in first + 1..<count {
                let ((a, b), (c, d)) = (edge(first), edge(second))
                if second == first + 1 {
                    if isOn(d, a, b) || isOn(a, c, d) { return (first, second) }
                } else if first == 0, second == count - 1 {
                    if isOn(c, a, b) || isOn(b, c, d) { return (first, second) }
                } else if touch(a, b, c, d) {
                    return (first, second)
                }
            }
        }
        return nil
    }

    /// Source: Cormen, Leiserson, Rivest, Stein, "Introduction to Algorithms", SEGMENTS-INTERSECT.
    private static func touch(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Bool {
        let (ca, cb, ac, ad) = (turn(c, d, a), turn(c, d, b), turn(a, b, c), turn(a, b, d))
        if ca * cb < 0, ac * ad < 0 { return true }
        return isOn(a, c, d) || isOn(b, c, d) || isOn(c, a, b) || isOn(d, a, b)
    }

    private static func isOn(_ point: Point, _ a: Point, _ b: Point) -> Bool {
        turn(a, b, point) == 0 && min(a.x, b.x) <= point.x && point.x <= max(a.x, b.x) && min(a.y, b.y) <= point.y
            && point.y <= max(a.y, b.y)
    }

    /// Twice the area of a triangle, by its direction; exact for corners with up to seven digits.
    private static func turn(_ a: Point, _ b: Point, _ c: Point) -> Double {
        let (ax, ay) = (Double(a.x), Double(a.y))
        return (Double(b.x) - ax) * (Double(c.y) - ay) - (Double(b.y) - ay) * (Double(c.x) - ax)
    }
}
