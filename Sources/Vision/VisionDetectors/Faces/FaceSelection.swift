// SPDX-License-Identifier: Apache-2.0
import Frames
import Observations
import Settings

/// Selects the faces of a frame by the settings.
struct FaceSelection {
    /// `min_size` is "not a hard limit: the detector may find faces slightly smaller" (ML Kit). The box of a face is
    /// also somewhat narrower than the head that the setting speaks of.
    private static let tolerance: Float = 0.75

    /// In proportion of the picture's width.
    let minimumWidth: Float
    private let prominentOnly: Bool

    init(_ settings: FaceSettings) {
        minimumWidth = Float(settings.minSize) * Self.tolerance
        prominentOnly = settings.prominentOnly
    }

    func keep(_ faces: [Detection], in frame: Frame) -> [Detection] { keep(faces, in: frame) { $0.box } }

    /// - Parameter visible: the part of a face's box in the frame; nil: none.
    func keep<Face>(_ faces: [Face], in frame: Frame, visible: (Face) -> Box?) -> [Face] {
        let (width, height) = (Float(frame.width), Float(frame.height))
        var kept: [(face: Face, box: Box)] = []
        for face in faces {
            guard let box = visible(face), box.width >= minimumWidth * width else { continue }
            kept.append((face, box))
        }
        guard prominentOnly else { return kept.map(\.face) }
        return kept.max {
            $0.box.prominence(width: width, height: height) < $1.box.prominence(width: width, height: height)
        }.map { [$0.face] } ?? []
    }
}
