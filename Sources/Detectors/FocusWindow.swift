import Frames
import Observations

/// Where a detector that makes use of its focus looks: around the focus, and once a second of the stream everywhere, so that the
/// tracker knows of others when the focus is lost.
///
/// A detector that sees nothing at the focus looks at all of that frame too (`isMet`); and a lane takes the focus back in the frame after a
/// miss. So what leaves the part is out of sight for a frame at most.
public struct FocusWindow: Sendable {
    /// Seconds of the stream.
    static let interval = 1.0
    /// How far around the focus, in longer sides of its box: what a symbol or a face can move between two frames, and a symbol's quiet zone.
    static let margin: Float = 1
    /// A part that is larger than this share of the region saves too little for a second look.
    static let largestShare = 0.5

    private var focus: Box?
    private var lastWholeLook: Double?

    public init() {}

    /// - Parameter box: pixels; nil: everywhere.
    public mutating func set(_ box: Box?) {
        focus = box
        if box == nil { lastWholeLook = nil }
    }

    /// Whether one of the detections lies at the focus. If not, it may be elsewhere.
    public func isMet(by detections: [Detection]) -> Bool {
        guard let focus else { return false }
        return detections.contains { $0.box.intersectionArea(focus) > 0 }
    }

    /// The part of `region` to look at in this frame; nil: all of it.
    public mutating func part(of region: NormalizedRegion, in frame: FrameInfo) -> NormalizedRegion? {
        guard let focus, focus.isValid else { return nil }
        let isDue = lastWholeLook.map { !(0..<Self.interval).contains(frame.seconds - $0) } ?? false
        if lastWholeLook == nil || isDue { lastWholeLook = frame.seconds }
        if isDue { return nil }
        let margin = Self.margin * max(focus.width, focus.height)
        let near = focus.grown(byX: margin, y: margin)
        let (width, height) = (Double(frame.width), Double(frame.height))
        let left = max(region.x, Double(near.x) / width)
        let top = max(region.y, Double(near.y) / height)
        let right = min(region.x + region.width, Double(near.maxX) / width)
        let bottom = min(region.y + region.height, Double(near.maxY) / height)
        guard right > left, bottom > top,
            (right - left) * (bottom - top) <= Self.largestShare * region.width * region.height
        else { return nil }
        return NormalizedRegion(x: left, y: top, width: right - left, height: bottom - top)
    }
}
