import Observations

/// Faces that `min_size` keeps out of a picture in which no other face was found.
public struct SmallFaces: Sendable, Equatable, CustomStringConvertible {
    public var count: Int
    /// The `min_size` that shows all of them: the width of the narrowest in thousandths of the picture's width, 1 or more.
    public var thousandths: Int

    public init(count: Int, thousandths: Int) {
        self.count = count
        self.thousandths = thousandths
    }

    /// - Parameter withheld: what the detector kept out of a frame's results.
    /// - Returns: nil when `min_size` kept nothing out.
    init?(_ withheld: [Explanation.Untracked], frame: FrameInfo) {
        var (count, narrowest) = (0, Float.infinity)
        for entry in withheld {
            guard case .belowMinSize = entry.cause else { continue }
            count += 1
            narrowest = min(narrowest, entry.box.width)
        }
        guard count > 0, frame.width > 0 else { return nil }
        self.init(count: count, thousandths: max(1, Int(1000 * narrowest / Float(frame.width))))
    }

    public var minSize: Double { Double(thousandths) / 1000 }

    public var description: String {
        let faces = count == 1 ? "1 face is" : "\(count) faces are"
        return "\(faces) below min_size; min_size = \(minSize) shows \(count == 1 ? "it" : "them")"
    }
}
