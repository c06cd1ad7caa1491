// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Observations

/// Finds out whether faces smile and have their eyes open. Used by one thread.
protocol FaceAttributes: AnyObject {
    /// Sets what it can tell of `face`, and leaves the rest absent.
    ///
    /// - Parameter crop: the face, level by its eyes.
    func read(_ face: inout Face, in crop: FaceCrop, of frame: Frame) throws(DetectorError)

    /// See `Detector.rest`.
    func rest()
}

extension FaceAttributes {
    func rest() {}

    /// Reads the faces that look this way, as Mobile Vision does: both eyes are seen, and the face is turned by 18
    /// degrees at most.
    func read(_ faces: inout [Detection], in frame: Frame) throws(DetectorError) {
        for index in faces.indices {
            guard case .face(var face) = faces[index].content, abs(face.euler?.y ?? 0) <= 18,
                let right = face.position(of: .rightEye), let left = face.position(of: .leftEye),
                let crop = FaceCrop(rightEye: right, leftEye: left)
            else { continue }
            try read(&face, in: crop, of: frame)
            faces[index].content = .face(face)
        }
    }
}

extension Face {
    fileprivate func position(of name: Landmark.Name) -> Point? {
        landmarks.first { $0.name == name }?.position
    }
}

/// By OpenCV's cascades: smiles, and open eyes where they are seen. They never say that an eye is closed.
final class CascadeFaceAttributes: FaceAttributes {
    private let eyes: EyeCascade
    private let smile: SmileCascade

    init() throws(DetectorError) {
        eyes = try EyeCascade()
        smile = try SmileCascade()
    }

    func read(_ face: inout Face, in crop: FaceCrop, of frame: Frame) throws(DetectorError) {
        face.smiling = try smile.smiling(in: crop, of: frame)
        face.rightEyeOpen = try eyes.openness(in: crop, of: frame, around: FaceCrop.rightEye)
        face.leftEyeOpen = try eyes.openness(in: crop, of: frame, around: FaceCrop.leftEye)
    }
}
