// SPDX-License-Identifier: Apache-2.0
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

    /// Copies rows of another plane. The bytes of `runs` are not read: the copy has `value` there.
    ///
    /// - Parameter runs: in ascending order, without overlap, within `size`.
    func copy(
        _ source: Plane, _ size: (width: Int, height: Int), filling runs: some Sequence<(Int, Range<Int>)>,
        with value: UInt8
    ) {
        var runs = runs.makeIterator()
        var run = runs.next()
        // Planes without padding are copied like one long row.
        let rows = stride == size.width && source.stride == size.width ? max(1, size.height) : 1
        for first in Swift.stride(from: 0, to: size.height, by: rows) {
            let (from, to) = (source.base + first * source.stride, base + first * stride)
            var end = 0
            while let (row, bytes) = run, row < first + rows {
                let start = (row - first) * size.width + bytes.lowerBound
                (to + end).update(from: from + end, count: start - end)
                (to + start).update(repeating: value, count: bytes.count)
                end = start + bytes.count
                run = runs.next()
            }
            (to + end).update(from: from + end, count: rows * size.width - end)
        }
    }
}

/// A picture in memory of its own, with tight planes. Its one owner may paint it until `frame` is handed on.
package final class FrameCopy: @unchecked Sendable {  // Sound: one owner at a time writes, before others have `frame`.
    package let info: FrameInfo
    package let format: PixelFormat
    package let colour: PictureColour
    package let planes: [MutablePlane]
    /// The samples of each plane: bytes of a row, and rows.
    package let sizes: [(width: Int, height: Int)]
    private let base: UnsafeMutablePointer<UInt8>

    /// Copies a whole frame.
    package convenience init(_ frame: Frame) {
        self.init(of: frame, width: frame.width, height: frame.height)
        copy(frame.planes, of: frame)
    }

    /// Copies a whole frame with masks painted into the copy.
    package convenience init(_ frame: Frame, painting mask: inout FrameMask) {
        self.init(of: frame, width: frame.width, height: frame.height)
        frame.withPlanes { mask.copy($0, to: planes, format, width: frame.width, height: frame.height) }
    }

    /// Copies a part of a frame. Its width and height are even; see `FrameView`.
    package convenience init(_ view: FrameView) {
        self.init(of: view.frame, width: view.width, height: view.height)
        copy(view.planes, of: view.frame)
    }

    private init(of frame: Frame, width: Int, height: Int) {
        var info = frame.info
        (info.width, info.height) = (width, height)
        self.info = info
        (format, colour) = (frame.format, frame.colour)
        sizes = frame.format.planeSizes(width: width, height: height)
        base = .allocate(capacity: sizes.reduce(0) { $0 + $1.width * $1.height })
        var planes: [MutablePlane] = []
        var start = base
        for size in sizes {
            planes.append(MutablePlane(base: start, stride: size.width))
            start += size.width * size.height
        }
        self.planes = planes
    }

    private func copy(_ source: [Plane], of frame: Frame) {
        frame.withPlanes { _ in
            for index in planes.indices {
                planes[index].copy(source[index], sizes[index], filling: EmptyCollection(), with: 0)
            }
        }
    }

    deinit { base.deallocate() }

    package var frame: Frame {
        Frame(
            info: info, format: format, colour: colour,
            planes: planes.map { Plane(base: UnsafePointer($0.base), stride: $0.stride) }, storage: self)
    }
}
