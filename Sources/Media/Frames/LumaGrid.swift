// SPDX-License-Identifier: Apache-2.0
import Observations

/// Samples of a picture's luma on a square grid, to compare pictures with. Reusing one value for many frames allocates
/// nothing.
package struct LumaGrid: Sendable, Equatable {
    /// Columns at most. Every eighth pixel of a 1280-pixel row is a sample.
    static let mostColumns = 160
    /// Samples along a tile's side: a twentieth of a wide picture.
    package static let tileSide = 8

    package private(set) var columns = 0
    package private(set) var rows = 0
    /// The distance between two samples, and the place of the first one, in pixels of the frame.
    private var step = 1
    private var left = 0
    private var top = 0
    private var samples: [UInt8] = []

    package init() {}

    /// Takes the samples of `view`. Costs about 30 us for 1280x720 pixels.
    package mutating func sample(_ view: FrameView) {
        guard !view.isEmpty else {
            (columns, rows) = (0, 0)
            samples.removeAll(keepingCapacity: true)
            return
        }
        step = (view.width + Self.mostColumns - 1) / Self.mostColumns
        (columns, rows) = ((view.width + step - 1) / step, (view.height + step - 1) / step)
        (left, top) = (view.x, view.y)
        if samples.count != columns * rows { samples = [UInt8](repeating: 0, count: columns * rows) }
        view.frame.withPlanes { _ in
            let plane = view.frame.luma.offset(x: view.x, y: view.y)
            samples.withUnsafeMutableBufferPointer { samples in
                var place = 0
                for row in 0..<rows {
                    let line = plane.base + row * step * plane.stride
                    for column in 0..<columns {
                        samples[place] = line[column * step]
                        place += 1
                    }
                }
            }
        }
    }

    /// Compares two pictures sample by sample.
    ///
    /// - Parameters:
    ///   - other: a grid of the same columns and rows; of any other size, the pictures differ everywhere.
    ///   - tolerance: differences up to this many levels count as noise, 0...255.
    package func difference(from other: LumaGrid, tolerance: Int) -> LumaDifference {
        guard columns == other.columns, rows == other.rows, columns > 0 else {
            return LumaDifference(noise: 0, greatestExcess: .max, tile: nil)
        }
        var histogram = InlineArray<511, Int32>(repeating: 0)
        var (greatest, tile) = (0, LumaTile(column: 0, row: 0))
        samples.withUnsafeBufferPointer { samples in
            other.samples.withUnsafeBufferPointer { others in
                for top in stride(from: 0, to: rows, by: Self.tileSide) {
                    for left in stride(from: 0, to: columns, by: Self.tileSide) {
                        var excess = 0
                        for row in top..<min(top + Self.tileSide, rows) {
                            for place in row * columns + left..<row * columns + min(left + Self.tileSide, columns) {
                                let difference = Int(samples[place]) - Int(others[place])
                                histogram[difference + 255] &+= 1
                                excess += max(0, abs(difference) - tolerance)
                            }
                        }
                        if excess > greatest { (greatest, tile) = (excess, LumaTile(column: left, row: top)) }
                    }
                }
            }
        }
        return LumaDifference(
            noise: Self.noise(of: histogram, count: columns * rows), greatestExcess: greatest, tile: tile)
    }

    /// The pixels of the frame that a tile covers.
    package func box(of tile: LumaTile) -> Box {
        Box(
            x: Float(left + tile.column * step), y: Float(top + tile.row * step),
            width: Float(min(Self.tileSide, columns - tile.column) * step),
            height: Float(min(Self.tileSide, rows - tile.row) * step))
    }

    /// The median absolute deviation from the median, so that a change of the whole picture's brightness is no noise.
    private static func noise(of histogram: borrowing InlineArray<511, Int32>, count: Int) -> Int {
        var (median, seen) = (0, Int(histogram[0]))
        while 2 * seen < count {
            median += 1
            seen += Int(histogram[median])
        }
        var deviation = 0
        seen = Int(histogram[median])
        while 2 * seen < count {
            deviation += 1
            if median - deviation >= 0 { seen += Int(histogram[median - deviation]) }
            if median + deviation <= 510 { seen += Int(histogram[median + deviation]) }
        }
        return deviation
    }
}

/// How two pictures differ.
package struct LumaDifference: Sendable, Equatable {
    /// The median absolute deviation of the samples' differences, in levels, 0...255.
    package var noise: Int
    /// The most that the differences of one tile exceed the tolerance by, in levels, summed over the tile's samples.
    package var greatestExcess: Int
    /// The tile with that excess; nil if the pictures have different sizes.
    package var tile: LumaTile?
}

/// The place of a tile: the column and row of its first sample.
package struct LumaTile: Sendable, Equatable {
    package var column: Int
    package var row: Int
}
