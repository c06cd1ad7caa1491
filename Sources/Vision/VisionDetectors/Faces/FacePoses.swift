// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Observations

/// Poses of faces that the detector's own look shows with too few pixels for one, by closer looks at a bounded rate.
/// Used by one thread.
struct FacePoses {
    /// Narrower faces have no pose, in network pixels: YuNet puts their points where a face that looks at the camera
    /// has them. Share of a face's roll by which the points turn, at a width in network pixels:
    ///
    /// - YuNet N: 5 % at 32, 40 % at 48, 65 % at 64 to 80, 80 % at 112, 95 % at 144
    /// - YuNet S: 30 % up to 80, 70 % at 112, 85 % at 144
    private static let narrowestPose: Float = 64
    /// Narrower faces are not looked at closer, in pixels of the picture.
    private static let narrowestFace: Float = 100

    private var held = HeldPoses()

    /// Whether a look of `scale` network pixels per pixel leaves faces that a closer look would give a pose.
    static func areWorthwhile(after scale: Float) -> Bool { narrowestFace * scale < narrowestPose }

    /// Whether the look shows enough of a face for its points to tell the pose.
    static func isKnown(_ face: FaceCandidate, after scale: Float) -> Bool { face.box.width * scale >= narrowestPose }

    /// The poses of those `faces` that need a closer look.
    ///
    /// - Parameters:
    ///   - scales: of the look at each face.
    ///   - isStream: false: the frame stands for itself, and every face is looked at.
    mutating func read(
        _ faces: [FaceCandidate], after scales: [Float], isStream: Bool, in frame: Frame, by look: CloserLook
    ) throws(DetectorError) -> [Face.Euler?] {
        var poses = [Face.Euler?](repeating: nil, count: faces.count)
        let small = faces.indices.filter {
            faces[$0].box.width >= Self.narrowestFace && !Self.isKnown(faces[$0], after: scales[$0])
        }
        guard isStream else {
            for index in small { poses[index] = try pose(of: faces[index], in: frame, by: look) }
            return poses
        }
        let time = frame.info.seconds
        for index in held.due(small.map { faces[$0] }, at: time) {
            let face = faces[small[index]]
            held.keep(try pose(of: face, in: frame, by: look), of: face, at: time)
        }
        for index in small { poses[index] = held.pose(of: faces[index]) }
        return poses
    }

    private func pose(of face: FaceCandidate, in frame: Frame, by look: CloserLook) throws(DetectorError)
        -> Face.Euler?
    {
        guard let points = try look.points(of: face.box, in: frame) else { return nil }
        return FacePoints.face(points, width: frame.width, height: frame.height).euler
    }
}
