// SPDX-License-Identifier: Apache-2.0
import Frames
import Observations

extension FrameCopy {
    /// Covers regions of the picture.
    ///
    /// - Parameters:
    ///   - boxes: in pixels of the frame that this picture is a part of.
    ///   - x: the place of the picture in that frame.
    func cover(_ boxes: [Box], _ rules: CoverRules, x: Int, y: Int) {
        for box in boxes {
            guard let region = Region(box, margin: rules.margin, x: x, y: y, width: info.width, height: info.height)
            else { continue }
            for (index, plane) in planes.enumerated() {
                let isChroma = index > 0
                let part = isChroma ? region.halved(within: sizes[index].height) : region
                let channels = isChroma && format == .nv12 ? 2 : 1
                switch rules.style {
                case .fill: plane.fill(part, channels: channels)
                case .pixelate: plane.pixelate(part, channels: channels)
                }
            }
        }
    }
}

/// A rectangle of samples, and the side of its blocks.
private struct Region {
    var columns: Range<Int>
    var rows: Range<Int>
    var block: Int

    /// nil outside of the picture. A box that is no box covers the whole picture.
    init?(_ box: Box, margin: Float, x: Int, y: Int, width: Int, height: Int) {
        let grown = box.grown(byX: box.width * margin, y: box.height * margin)
        let edges = [grown.x, grown.y, grown.maxX, grown.maxY]
        guard edges.allSatisfy({ $0.isFinite && abs($0) < 1e6 }) else {
            (columns, rows, block) = (0..<width, 0..<height, (max(width, height) + 7) / 8)
            return
        }
        let (left, top) = (Int(grown.x.rounded(.down)) - x, Int(grown.y.rounded(.down)) - y)
        let (right, bottom) = (Int(grown.maxX.rounded(.up)) - x, Int(grown.maxY.rounded(.up)) - y)
        let (first, last) = (max(0, left), min(width, right))
        let (upper, lower) = (max(0, top), min(height, bottom))
        guard first < last, upper < lower else { return nil }
        columns = first..<last
        rows = upper..<lower
        // The blocks are those of the whole region, so a crop shows the same ones.
        block = max(2, (max(right - left, bottom - top) + 7) / 8)
    }

    /// In samples of chroma.
    func halved(within height: Int) -> Region {
        var half = self
        half.columns = columns.lowerBound / 2..<(columns.upperBound + 1) / 2
        half.rows = rows.lowerBound / 2..<min(height, (rows.upperBound + 1) / 2)
        half.block = max(1, (block + 1) / 2)
        return half
    }
}

extension MutablePlane {
    fileprivate func fill(_ region: Region, channels: Int) {
        for row in region.rows {
            (base + row * stride + region.columns.lowerBound * channels).update(
                repeating: FrameMask.grey, count: region.columns.count * channels)
        }
    }

    fileprivate func pixelate(_ region: Region, channels: Int) {
        for top in Swift.stride(from: region.rows.lowerBound, to: region.rows.upperBound, by: region.block) {
            let rows = top..<min(top + region.block, region.rows.upperBound)
            for left in Swift.stride(from: region.columns.lowerBound, to: region.columns.upperBound, by: region.block) {
                let columns = left..<min(left + region.block, region.columns.upperBound)
                for channel in 0..<channels { average(rows, columns, channel, of: channels) }
            }
        }
    }

    private func average(_ rows: Range<Int>, _ columns: Range<Int>, _ channel: Int, of channels: Int) {
        var sum = 0
        for row in rows {
            let line = base + row * stride + channel
            for column in columns { sum += Int(line[column * channels]) }
        }
        let count = rows.count * columns.count
        let mean = UInt8((sum + count / 2) / count)
        for row in rows {
            let line = base + row * stride + channel
            for column in columns { line[column * channels] = mean }
        }
    }
}
