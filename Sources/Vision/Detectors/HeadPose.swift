// SPDX-License-Identifier: Apache-2.0
import Observations

#if canImport(Glibc)
    import Glibc
#endif

/// Head pose from the five points of a face: a rigid head seen from far away.
///
/// The model is weak perspective (scaled orthography): image = s * (first two rows of a rotation) * model + shift. The
/// 2x3 matrix comes of linear least squares over the five points; the rotation is the nearest one to it.
///
/// The model's points are those of MediaPipe's canonical face (`canonical_face_model.obj`, Apache-2.0, centimetres).
/// They are the middles of the eyes' corners (33, 133 and 362, 263), the nose tip (1) and the mouth corners (61, 291).
///
/// Errors in degrees for 95 % of heads with |y| to 45, |x| to 25, |z| to 40 (`HeadPoseTests` renders them):
///
/// - at a distance: exact
/// - from 60 cm, by perspective: x 5, y 5, z 3
/// - with landmarks that are off by 4 % of the eye distance each, as YuNet's are: x 7, y 6, z 4
/// - between people, whose points differ by 2.5 mm a coordinate: x 12, y 8, z 5
///
/// So x tells nodding from not nodding, rather than an angle.
package struct HeadPose: Sendable, Equatable {
    /// Degrees, -180...180; `y` -90...90. The rotation is a roll of the picture by `z`, of a head that is turned by `y`
    /// and nods by `x`. So turning the picture changes `z` alone.
    package let euler: Face.Euler
    /// How far the points are from the model's best pose: root mean square, in the model's eye distances. Faces have
    /// 0.02 to 0.1.
    package let residual: Float

    /// - Parameter points: of `YuNetDecoder.landmarkNames`, pixels.
    /// - Returns: nil for points that span nothing.
    package init?(_ points: [5 of Point]) {
        var middle = SIMD2<Double>()
        for index in points.indices { middle += SIMD2(Double(points[index].x), -Double(points[index].y)) / 5 }
        guard middle.x.isFinite, middle.y.isFinite else { return nil }
        let seen = [5 of SIMD2<Double>] { SIMD2(Double(points[$0].x), -Double(points[$0].y)) - middle }
        var (across, upwards) = (SIMD3<Double>(), SIMD3<Double>())
        for index in seen.indices {
            across += seen[index].x * Self.weights[index]
            upwards += seen[index].y * Self.weights[index]
        }
        let (width, height) = (across.length, upwards.length)
        guard width > 1e-6, height > 1e-6 else { return nil }
        // The two orthogonal rows that are nearest to both.
        let (a, b) = (across / width, upwards / height)
        let (sum, difference) = (a + b, a - b)
        guard sum.length > 1e-6, difference.length > 1e-6 else { return nil }
        let (u, v) = (sum / sum.length, difference / difference.length)
        let (right, up) = ((u + v) / 2.0.squareRoot(), (u - v) / 2.0.squareRoot())
        let toViewer = right.cross(up)
        euler = Face.Euler(
            x: -Self.degrees(atan2(toViewer.y, toViewer.z)),
            y: Self.degrees(atan2(-toViewer.x, hypot(right.x, up.x))), z: Self.degrees(atan2(up.x, right.x)))
        let scale = (width + height) / 2
        var error = 0.0
        for index in seen.indices {
            let corner = Self.centred[index]
            let (dx, dy) = (seen[index].x - scale * right.dot(corner), seen[index].y - scale * up.dot(corner))
            error += dx * dx + dy * dy
        }
        residual = Float((error / 5).squareRoot() / (scale * Self.eyeDistance))
        guard residual.isFinite else { return nil }
    }

    /// The roll of two eyes alone: the slope of the line between them.
    ///
    /// - Returns: degrees counter-clockwise; nil for eyes in one place.
    package static func roll(rightEye: Point, leftEye: Point) -> Float? {
        let (dx, dy) = (Double(leftEye.x - rightEye.x), Double(leftEye.y - rightEye.y))
        guard dx.isFinite, dy.isFinite, hypot(dx, dy) > 1e-6 else { return nil }
        return degrees(atan2(-dy, dx))
    }

    private static func degrees(_ radians: Double) -> Float { Float(radians * 180 / .pi) }

    /// Centimetres: x to the person's left, y up, z out of the face; in the order of `YuNetDecoder.landmarkNames`.
    static let model: [SIMD3<Double>] = [
        [-3.151, 2.625, 3.466], [3.151, 2.625, 3.466], [0, -1.127, 7.476], [-2.456, -4.343, 4.284],
        [2.456, -4.343, 4.284],
    ]
    private static let eyeDistance = (model[1] - model[0]).length
    private static let centred: [SIMD3<Double>] = {
        let middle = model.reduce(SIMD3<Double>(), +) / Double(model.count)
        return model.map { $0 - middle }
    }()

    /// The pseudo-inverse: what each point adds to the three numbers of a row.
    private static let weights: [SIMD3<Double>] = {
        // The normal matrix X'X, by rows, and its inverse by cofactors.
        var rows = [SIMD3<Double>](repeating: SIMD3(), count: 3)
        for point in centred { for row in 0..<3 { rows[row] += point[row] * point } }
        let cofactors = [rows[1].cross(rows[2]), rows[2].cross(rows[0]), rows[0].cross(rows[1])]
        let determinant = rows[0].dot(cofactors[0])
        // Symmetric, so its cofactors need no transposition.
        return centred.map { point in
            SIMD3(cofactors[0].dot(point), cofactors[1].dot(point), cofactors[2].dot(point)) / determinant
        }
    }()
}

extension SIMD3<Double> {
    fileprivate func dot(_ other: Self) -> Double { (self * other).sum() }
    fileprivate var length: Double { dot(self).squareRoot() }
    fileprivate func cross(_ other: Self) -> Self {
        Self(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }
}
