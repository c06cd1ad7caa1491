import Frames
import Observations
import Settings

/// What the settings keep of the faces that a detector found in a frame.
struct FaceSelection {
    /// `min_size` is "not a hard limit: the detector may find faces slightly smaller" (ML Kit). The box of a face is also somewhat
    /// narrower than the head that the setting speaks of.
    private static let tolerance: Float = 0.75

    private let minimumWidth: Float
    private let prominentOnly: Bool

    init(_ settings: FaceSettings) {
        minimumWidth = Float(settings.minSize) * Self.tolerance
        prominentOnly = settings.prominentOnly
    }

    func keep(_ faces: [Detection], in frame: Frame) -> [Detection] {
        let large = faces.filter { $0.box.width >= minimumWidth * Float(frame.width) }
        guard prominentOnly else { return large }
        return large.max { prominence($0.box, frame) < prominence($1.box, frame) }.map { [$0] } ?? []
    }

    /// "Large and most central": area times nearness to the centre, 1 there and 0 in a corner (the project's formula).
    private func prominence(_ box: Box, _ frame: Frame) -> Float {
        let (dx, dy) = (box.center.x - Float(frame.width) / 2, box.center.y - Float(frame.height) / 2)
        let farthest = Float(frame.width * frame.width + frame.height * frame.height).squareRoot() / 2
        return box.area * (1 - min(1, (dx * dx + dy * dy).squareRoot() / farthest))
    }
}
