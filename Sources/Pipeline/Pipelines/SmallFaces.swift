// SPDX-License-Identifier: Apache-2.0
import Observations

/// Faces smaller than `min_size` in a picture without other faces.
public struct SmallFaces: Sendable, Equatable, CustomStringConvertible {
    /// The number of faces below `min_size`, at least 1.
    public var count: Int
    /// The `min_size` that shows all of them: the width of the narrowest face in thousandths of the picture's width, at
    /// least 1.
    public var thousandths: Int

    public init(count: Int, thousandths: Int) {
        self.count = count
        self.thousandths = thousandths
    }

    /// - Parameter withheld: the detections that the detector withheld from a frame's results.
    /// - Returns: nil if `min_size` withheld none.
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

    /// `thousandths` as the proportion that `min_size` takes.
    public var minSize: Double { Double(thousandths) / 1000 }

    public var description: String {
        let faces = count == 1 ? "1 face is" : "\(count) faces are"
        return "\(faces) below min_size; min_size = \(minSize) shows \(count == 1 ? "it" : "them")"
    }
}

extension LaneMetrics {
    /// The newest faces below `min_size`; nil before the first.
    public var smallFaces: SmallFaces? {
        self[.smallFaces] == 0
            ? nil : SmallFaces(count: Int(self[.smallFaces]), thousandths: Int(self[.smallFacesMinSize]))
    }
}
