// SPDX-License-Identifier: Apache-2.0
import CZXing
import Frames
import Observations

/// A region of the luma plane alone; unlike chroma it has no need of even pixels.
struct LumaView {
    let x: Int
    let y: Int
    let width: Int
    let height: Int
    let plane: Plane

    init(_ frame: Frame, _ region: NormalizedRegion) {
        x = min(Int(region.x * Double(frame.width)), frame.width - 1)
        y = min(Int(region.y * Double(frame.height)), frame.height - 1)
        width = min(Int(((region.x + region.width) * Double(frame.width)).rounded(.up)), frame.width) - x
        height = min(Int(((region.y + region.height) * Double(frame.height)).rounded(.up)), frame.height) - y
        plane = frame.luma.offset(x: x, y: y)
    }

    /// For the reader. Valid as long as the frame.
    var luma: czx_luma {
        czx_luma(pixels: plane.base, width: Int32(width), height: Int32(height), stride: Int32(plane.stride))
    }

    /// Pixels of the frame in pixels of the view, and back.
    func local(_ quad: Quadrilateral) -> Quadrilateral { quad.moved(by: Point(x: -Float(x), y: -Float(y))) }
    func global(_ quad: Quadrilateral) -> Quadrilateral { quad.moved(by: Point(x: Float(x), y: Float(y))) }
    func local(_ box: Box) -> Box {
        Box(x: box.x - Float(x), y: box.y - Float(y), width: box.width, height: box.height)
    }
    func global(_ box: Box) -> Box {
        Box(x: box.x + Float(x), y: box.y + Float(y), width: box.width, height: box.height)
    }

    func global(_ barcode: Barcode) -> Barcode {
        var barcode = barcode
        barcode.corners = global(barcode.corners)
        barcode.orientation = barcode.corners.orientation
        return barcode
    }
}
