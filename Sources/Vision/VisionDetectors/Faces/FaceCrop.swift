// SPDX-License-Identifier: Apache-2.0
import Frames
import Observations

#if canImport(Glibc)
    import Glibc
#endif

/// A square picture of one face: level, and of one size, however the face lies in the frame. Sampled bilinearly; what
/// lies outside the frame repeats its border.
struct FaceCrop {
    /// Where the person's right eye (on the left) and left eye are, in sides of the square.
    static let rightEye = Point(x: 0.32, y: 0.38)
    static let leftEye = Point(x: 0.68, y: 0.38)

    /// Pixels; farther is no picture, and no number compares to it.
    private static let farthest: Float = 1_000_000

    /// Where the square's corner is in the frame, and its upper edge as a vector: pixels. The left edge is that vector
    /// turned by 90 degrees.
    private let origin: Point
    private let edge: Point

    /// The square in which the eyes are where `rightEye` and `leftEye` say; nil for eyes in one place.
    init?(rightEye right: Point, leftEye left: Point) {
        let distance = Self.leftEye.x - Self.rightEye.x
        edge = Point(x: (left.x - right.x) / distance, y: (left.y - right.y) / distance)
        let reach = max(abs(edge.x), abs(edge.y), abs(right.x), abs(right.y))
        guard reach <= Self.farthest, max(abs(edge.x), abs(edge.y)) >= 1 else { return nil }
        let (u, v) = (Self.rightEye.x, Self.rightEye.y)
        origin = Point(x: right.x - u * edge.x + v * edge.y, y: right.y - u * edge.y - v * edge.x)
    }

    /// The square over a box's width, from its upper edge on, upright.
    init(_ box: Box) {
        origin = Point(x: box.x, y: box.y)
        edge = Point(x: box.width, y: 0)
    }

    /// The square around `middle`, turned clockwise.
    ///
    /// - Parameters:
    ///   - side: pixels of the frame, above 0.
    ///   - roll: radians.
    init(middle: Point, side: Float, roll: Float) {
        edge = Point(x: side * cos(roll), y: side * sin(roll))
        origin = Point(x: middle.x - (edge.x - edge.y) / 2, y: middle.y - (edge.y + edge.x) / 2)
    }

    /// The place in the frame of a place in the square, in sides.
    func point(_ u: Float, _ v: Float) -> Point {
        Point(x: origin.x + u * edge.x - v * edge.y, y: origin.y + u * edge.y + v * edge.x)
    }

    /// The whole square: its luma, then, where the frame has colours, two chroma planes at half size. Packed.
    ///
    /// - Parameters:
    ///   - side: samples along the square's edge, even.
    ///   - samples: replaced.
    func samplePicture(_ frame: Frame, side: Int, into samples: inout [UInt8]) {
        samples.removeAll(keepingCapacity: true)
        frame.withPlanes { planes in
            sample(SampledPlane(planes[0], width: frame.width, height: frame.height), scale: 1, side, into: &samples)
            let (width, height) = (frame.width / 2, frame.height / 2)
            switch frame.format {
            case .gray8: break
            case .i420:
                for plane in planes.dropFirst() {
                    sample(SampledPlane(plane, width: width, height: height), scale: 0.5, side / 2, into: &samples)
                }
            case .nv12:
                for first in 0..<2 {
                    let chroma = SampledPlane(planes[1].offset(x: first, y: 0), width: width, height: height, step: 2)
                    sample(chroma, scale: 0.5, side / 2, into: &samples)
                }
            }
        }
    }

    /// - Parameter scale: samples of the plane per pixel of the frame.
    private func sample(_ plane: SampledPlane, scale: Float, _ side: Int, into samples: inout [UInt8]) {
        for row in 0..<side {
            for column in 0..<side {
                let place = point((Float(column) + 0.5) / Float(side), (Float(row) + 0.5) / Float(side))
                samples.append(plane.sample(at: Point(x: place.x * scale, y: place.y * scale)))
            }
        }
    }

    /// The luma of a part of the square.
    ///
    /// - Parameters:
    ///   - side: samples along the whole square's edge.
    ///   - part: in sides; it holds one sample or more each way.
    ///   - samples: replaced by the rows from the top, packed.
    /// - Returns: samples in a row.
    func sampleLuma(_ frame: Frame, side: Int, part: Box, into samples: inout [UInt8]) -> Int {
        let (columns, rows) = (Int(part.width * Float(side)), Int(part.height * Float(side)))
        samples.removeAll(keepingCapacity: true)
        frame.withPlanes { planes in
            let luma = SampledPlane(planes[0], width: frame.width, height: frame.height)
            for row in 0..<rows {
                for column in 0..<columns {
                    let place = point(
                        part.x + (Float(column) + 0.5) / Float(side), part.y + (Float(row) + 0.5) / Float(side))
                    samples.append(luma.sample(at: place))
                }
            }
        }
        return columns
    }
}

/// A plane whose samples are asked for at any place.
private struct SampledPlane {
    let plane: Plane
    /// Samples; 1 or more.
    let width: Int
    let height: Int
    /// Bytes from one sample to the next in a row.
    let step: Int

    init(_ plane: Plane, width: Int, height: Int, step: Int = 1) {
        (self.plane, self.width, self.height, self.step) = (plane, width, height, step)
    }

    /// Between four samples, whose middles are at halves.
    func sample(at place: Point) -> UInt8 {
        let x = min(max(place.x - 0.5, 0), Float(width - 1))
        let y = min(max(place.y - 0.5, 0), Float(height - 1))
        let (left, top) = (Int(x), Int(y))
        let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
        let (fx, fy) = (x - Float(left), y - Float(top))
        func value(_ x: Int, _ y: Int) -> Float { Float(plane.base[y * plane.stride + x * step]) }
        let upper = value(left, top) + fx * (value(right, top) - value(left, top))
        let lower = value(left, bottom) + fx * (value(right, bottom) - value(left, bottom))
        return UInt8(upper + fy * (lower - upper) + 0.5)
    }
}
