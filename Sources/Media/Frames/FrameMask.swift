// SPDX-License-Identifier: Apache-2.0
import Observations

/// Paints masks into frames: flat grey, before anything else sees the frame.
///
/// Every pixel that a mask's polygon touches is painted, and every chroma sample that covers such a pixel. The rows to
/// paint are computed once for each picture size.
public struct FrameMask: Sendable {
    /// Luma and chroma of the paint. Both ranges of samples show it as grey.
    public static let grey: UInt8 = 128

    /// Samples of one row.
    private struct Run: Sendable {
        var row: Int
        var columns: Range<Int>
    }

    private let masks: [Mask]
    private var size = (width: 0, height: 0)
    private var luma: [Run] = []
    private var chroma: [Run] = []

    public init(_ masks: [Mask]) { self.masks = masks }

    /// Paints into planes of a frame that nobody else sees yet.
    package mutating func paint(_ planes: [MutablePlane], _ format: PixelFormat, width: Int, height: Int) {
        if size != (width, height) { prepare(width: width, height: height) }
        for index in 0..<format.planeCount { planes[index].fill(runs(ofPlane: index, format), with: Self.grey) }
    }

    /// Copies planes with the masks painted into the copy, in one pass. No sample below a mask is read.
    package mutating func copy(
        _ source: [Plane], to planes: [MutablePlane], _ format: PixelFormat, width: Int, height: Int
    ) {
        if size != (width, height) { prepare(width: width, height: height) }
        for (index, size) in format.planeSizes(width: width, height: height).enumerated() {
            planes[index].copy(source[index], size, filling: runs(ofPlane: index, format), with: Self.grey)
        }
    }

    /// A copy of the frame with the masks painted into it. For frames whose memory others may hold.
    public mutating func masked(_ frame: Frame) -> Frame { FrameCopy(frame, painting: &self).frame }

    /// Rows and their bytes to paint, in ascending order.
    private func runs(ofPlane index: Int, _ format: PixelFormat) -> some Sequence<(Int, Range<Int>)> {
        let bytes = index > 0 && format == .nv12 ? 2 : 1
        return (index == 0 ? luma : chroma).lazy.map {
            ($0.row, $0.columns.lowerBound * bytes..<$0.columns.upperBound * bytes)
        }
    }

    private mutating func prepare(width: Int, height: Int) {
        size = (width, height)
        luma.removeAll(keepingCapacity: true)
        chroma.removeAll(keepingCapacity: true)
        var upper: [Range<Int>] = []
        for row in 0..<height {
            let columns = merged(masks.flatMap { $0.columns(ofRow: row, width: width, height: height) })
            for range in columns { luma.append(Run(row: row, columns: range)) }
            // A chroma row covers two rows of luma.
            if row % 2 == 0, row + 1 < height {
                upper = columns
            } else {
                let both = (row % 2 == 0 ? columns : upper + columns).map {
                    $0.lowerBound / 2..<($0.upperBound + 1) / 2
                }
                for range in merged(both) { chroma.append(Run(row: row / 2, columns: range)) }
            }
        }
    }

    private func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var result: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = result.last, range.lowerBound <= last.upperBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }
}

extension Mask {
    /// The pixels of a row that the polygon touches with some area: those that an edge crosses, and those in between.
    fileprivate func columns(ofRow row: Int, width: Int, height: Int) -> [Range<Int>] {
        let (top, bottom, middle) = (Double(row), Double(row + 1), Double(row) + 0.5)
        var ranges: [Range<Int>] = []
        var crossings: [Double] = []
        var previous = polygon.count - 1
        for index in polygon.indices {
            let (a, b) = (corner(previous, width, height), corner(index, width, height))
            previous = index
            guard a.y != b.y, max(a.y, b.y) > top, min(a.y, b.y) < bottom else { continue }
            func x(_ y: Double) -> Double {
                a.x + (b.x - a.x) * (min(max(y, min(a.y, b.y)), max(a.y, b.y)) - a.y) / (b.y - a.y)
            }
            let (first, last) = (min(x(top), x(bottom)), max(x(top), x(bottom)))
            ranges.append(Self.pixels(first, last, width))
            if (a.y > middle) != (b.y > middle) { crossings.append(x(middle)) }
        }
        crossings.sort()
        for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
            ranges.append(Self.pixels(crossings[pair], crossings[pair + 1], width))
        }
        return ranges
    }

    private func corner(_ index: Int, _ width: Int, _ height: Int) -> (x: Double, y: Double) {
        (Double(polygon[index].x) * Double(width), Double(polygon[index].y) * Double(height))
    }

    private static func pixels(_ first: Double, _ last: Double, _ width: Int) -> Range<Int> {
        let start = min(max(0, Int(first.rounded(.down))), width)
        return start..<max(start, min(width, Int(last.rounded(.up))))
    }
}

/// Masks the frames of another source. For sources that do not paint their masks themselves. Used by one thread.
public final class MaskedSource: FrameSource {
    private let source: any FrameSource
    private var mask: FrameMask

    /// No other code may use the source afterwards.
    public init(_ source: any FrameSource, masks: [Mask]) {
        self.source = source
        mask = FrameMask(masks)
    }

    /// Starts the masked source.
    public func start() throws(SourceError) { try source.start() }

    /// The masked source's answer. A frame in it is a painted copy.
    public func next(timeout: Duration) -> SourceOutput {
        let output = source.next(timeout: timeout)
        guard case .frame(let frame) = output else { return output }
        return .frame(mask.masked(frame))
    }

    /// Stops the masked source. Frames that were handed out stay valid.
    public func stop() { source.stop() }
}
