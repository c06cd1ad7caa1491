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
        let (width, height) = (Float(frame.width), Float(frame.height))
        return large.max {
            $0.box.prominence(width: width, height: height) < $1.box.prominence(width: width, height: height)
        }.map { [$0] } ?? []
    }
}
