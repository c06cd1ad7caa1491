// SPDX-License-Identifier: Apache-2.0
import Observations

/// Judges the five points that a network gives for every face. The network gives all of them, visible or not.
package enum FacePoints {
    /// Beyond so many degrees of `y` the eye and the corner of the mouth on the far side are turned away (Mobile
    /// Vision's limit).
    package static let turnedAway: Float = 36
    /// Points that are farther from any pose than this, in eye distances, are no face's.
    package static let farthest: Float = 0.25
    /// The points of a head that nods by more degrees are wrong: no network finds a face from there.
    package static let steepest: Float = 75

    /// The face of five points: which of them are seen, and the head's pose.
    ///
    /// A point is missing when it lies outside the picture, or is turned away. When no pose explains them they all are.
    ///
    /// - Parameters:
    ///   - points: of `YuNetDecoder.landmarkNames`, pixels of the upright picture.
    ///   - width, height: of that picture.
    package static func face(_ points: [5 of Point], width: Int, height: Int) -> Face {
        guard let pose = HeadPose(points), pose.residual <= farthest, abs(pose.euler.x ?? 0) <= steepest else {
            return Face()
        }
        let (right, bottom) = (Float(width), Float(height))
        var face = Face(euler: pose.euler)
        face.landmarks.reserveCapacity(points.count)
        for (index, name) in YuNetDecoder.landmarkNames.enumerated() {
            let point = points[index]
            let isInside = point.x >= 0 && point.y >= 0 && point.x < right && point.y < bottom
            guard isInside, !isTurnedAway(name, pose.euler.y ?? 0) else { continue }
            face.landmarks.append(Face.Landmark(name: name, position: point))
        }
        return face
    }

    /// - Parameter turn: `Face.Euler.y`.
    private static func isTurnedAway(_ name: Face.Landmark.Name, _ turn: Float) -> Bool {
        switch name {
        case .leftEye, .mouthLeft: turn > turnedAway
        case .rightEye, .mouthRight: turn < -turnedAway
        case .noseBase: false
        }
    }
}
