import Observations

/// Rows of samples that their only owner may write.
package struct MutablePlane {
    package let base: UnsafeMutablePointer<UInt8>
    package let stride: Int

    package init(base: UnsafeMutablePointer<UInt8>, stride: Int) {
        self.base = base
        self.stride = stride
    }

    func fill(_ runs: some Sequence<(Int, Range<Int>)>, with value: UInt8) {
        for (row, bytes) in runs {
            (base + row * stride + bytes.lowerBound).update(repeating: value, count: bytes.count)
        }
    }
}

/// A picture in memory of its own, with tight planes. It may be painted until `frame` is handed on.
package final class FrameCopy {
    package let info: FrameInfo
    package let format: PixelFormat
    package let colour: PictureColour
    package let planes: [MutablePlane]
    /// The samples of each plane: bytes of a row, and rows.
    package let sizes: [(width: Int, height: Int)]
    private let base: UnsafeMutablePointer<UInt8>

    /// Copies a whole frame.
    package convenience init(_ frame: Frame) {
        self.init(frame.planes, of: frame, width: frame.width, height: frame.height)
    }

    /// Copies a part of a frame. Its width and height are even; see `FrameView`.
    package convenience init(_ view: FrameView) {
        self.init(view.planes, of: view.frame, width: view.width, height: view.height)
    }

    private init(_ source: [Plane], of frame: Frame, width: Int, height: Int) {
        var info = frame.info
        (info.width, info.height) = (width, height)
        self.info = info
        (format, colour) = (frame.format, frame.colour)
        let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
        let sizes: [(width: Int, height: Int)] =
            switch frame.format {
            case .gray8: [(width, height)]
            case .nv12: [(width, height), (2 * columns, rows)]
            case .i420: [(width, height), (columns, rows), (columns, rows)]
            }
        self.sizes = sizes
        base = .allocate(capacity: sizes.reduce(0) { $0 + $1.width * $1.height })
        var planes: [MutablePlane] = []
        var start = base
        frame.withPlanes { _ in
            for (plane, size) in zip(source, sizes) {
                for row in 0..<size.height {
                    (start + row * size.width).update(from: plane.base + row * plane.stride, count: size.width)
                }
                planes.append(MutablePlane(base: start, stride: size.width))
                start += size.width * size.height
            }
        }
        self.planes = planes
    }

    deinit { base.deallocate() }

    package var frame: Frame {
        Frame(
            info: info, format: format, colour: colour,
            planes: planes.map { Plane(base: UnsafePointer($0.base), stride: $0.stride) }, storage: self)
    }
}
