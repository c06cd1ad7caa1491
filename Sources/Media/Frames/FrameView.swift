// SPDX-License-Identifier: Apache-2.0
import Observations

/// A rectangle of a frame, seen without copying. Its corner and size are even, as 4:2:0 chroma needs.
public struct FrameView: Sendable {
    /// The frame that owns the pixels.
    public let frame: Frame
    /// The left edge in pixels of the frame.
    public let x: Int
    /// The upper edge in pixels of the frame.
    public let y: Int
    /// The width in pixels of the frame.
    public let width: Int
    /// The height in pixels of the frame.
    public let height: Int

    /// The whole frame, less an odd last column or row.
    public init(_ frame: Frame) {
        self.init(frame, region: .full)
    }

    /// The part of the frame that `region` names, moved outwards to even pixels. It may be empty in a very small frame.
    public init(_ frame: Frame, region: NormalizedRegion) {
        let (evenWidth, evenHeight) = (frame.width & ~1, frame.height & ~1)
        self.frame = frame
        x = min(Int(region.x * Double(frame.width)) & ~1, evenWidth)
        y = min(Int(region.y * Double(frame.height)) & ~1, evenHeight)
        let right = Int((region.maxX * Double(frame.width)).rounded(.up))
        let bottom = Int((region.maxY * Double(frame.height)).rounded(.up))
        width = min((right + 1) & ~1, evenWidth) - x
        height = min((bottom + 1) & ~1, evenHeight) - y
    }

    /// A rectangle of the view, in its own pixels: what of it lies within, on even pixels.
    public func part(x left: Int, y top: Int, width: Int, height: Int) -> FrameView {
        let (left, top) = (min(max(0, left), self.width) & ~1, min(max(0, top), self.height) & ~1)
        return FrameView(
            frame: frame, x: x + left, y: y + top, width: max(0, min(width, self.width - left)) & ~1,
            height: max(0, min(height, self.height - top)) & ~1)
    }

    private init(frame: Frame, x: Int, y: Int, width: Int, height: Int) {
        self.frame = frame
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// Whether the view is too small for a pixel of chroma.
    public var isEmpty: Bool { width < 2 || height < 2 }

    /// The frame's planes from the view's corner on.
    public var planes: [Plane] {
        switch frame.format {
        case .gray8: [frame.planes[0].offset(x: x, y: y)]
        case .nv12: [frame.planes[0].offset(x: x, y: y), frame.planes[1].offset(x: x, y: y / 2)]
        case .i420:
            [
                frame.planes[0].offset(x: x, y: y), frame.planes[1].offset(x: x / 2, y: y / 2),
                frame.planes[2].offset(x: x / 2, y: y / 2),
            ]
        }
    }
}

/// A rectangle in proportions of the upright picture, 0...1.
public struct NormalizedRegion: Sendable, Equatable {
    /// The left edge.
    public let x: Double
    /// The upper edge.
    public let y: Double
    /// The width.
    public let width: Double
    /// The height.
    public let height: Double

    /// The whole picture.
    public static let full = NormalizedRegion(x: 0, y: 0, width: 1, height: 1)

    /// Does not check the range. All values must be in 0...1.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    var maxX: Double { x + width }
    var maxY: Double { y + height }
}
