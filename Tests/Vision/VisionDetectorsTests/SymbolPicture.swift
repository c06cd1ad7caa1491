// SPDX-License-Identifier: Apache-2.0
import Foundation
import Frames
import GlimpseTesting
import Observations
import VisionDetectors

/// A grey picture into which symbols are painted, anywhere and at any angle.
struct SymbolPicture {
    let width: Int
    let height: Int
    /// Bytes between two rows.
    let stride: Int
    var luma: [UInt8]

    init(width: Int, height: Int, padding: Int = 0, paper: UInt8 = 235) {
        (self.width, self.height, stride) = (width, height, width + padding)
        luma = Array(repeating: paper, count: stride * height)
    }

    static let quietZone = 10

    /// Paints `text` around `center` and returns the symbol's own corners, without the quiet zone.
    ///
    /// - Parameters:
    ///   - module: width of a module in pixels.
    ///   - angle: degrees clockwise.
    @discardableResult
    mutating func paint(
        _ text: String, as format: Barcode.Format, center: Point, module: Float, angle: Float = 0
    ) throws -> Quadrilateral {
        let symbol = try SymbolWriter.draw(text, as: format, quietZone: Self.quietZone)
        let (columns, rows) = (Float(symbol.columns), Float(symbol.rows))
        let (sine, cosine) = SymbolPicture.sineAndCosine(angle)
        func inPicture(_ u: Float, _ v: Float) -> Point {
            let (x, y) = ((u - columns / 2) * module, (v - rows / 2) * module)
            return Point(x: center.x + x * cosine - y * sine, y: center.y + x * sine + y * cosine)
        }
        let reach = Int(module * (columns + rows) / 2) + 2
        for y in max(0, Int(center.y) - reach)..<min(height, Int(center.y) + reach) {
            for x in max(0, Int(center.x) - reach)..<min(width, Int(center.x) + reach) {
                // Four samples a pixel.
                var (sum, inside) = (0, 0)
                for (right, down) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] as [(Float, Float)] {
                    let (dx, dy) = (Float(x) + right - center.x, Float(y) + down - center.y)
                    let u = (dx * cosine + dy * sine) / module + columns / 2
                    let v = (dy * cosine - dx * sine) / module + rows / 2
                    guard u >= 0, v >= 0, u < columns, v < rows else { continue }
                    inside += 1
                    sum += symbol.modules[Int(v) * symbol.columns + Int(u)] == 0 ? 20 : 235
                }
                if inside == 4 { luma[y * stride + x] = UInt8(sum / 4) }
            }
        }
        let quiet = Float(Self.quietZone)
        return Quadrilateral(
            topLeft: inPicture(quiet, quiet), topRight: inPicture(columns - quiet, quiet),
            bottomRight: inPicture(columns - quiet, rows - quiet), bottomLeft: inPicture(quiet, rows - quiet))
    }

    /// Adds a value from `-most...most` to each pixel.
    mutating func addNoise(_ most: Int, seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for i in luma.indices { luma[i] = UInt8(clamping: Int(luma[i]) + Int.random(in: -most...most, using: &random)) }
    }

    func frame() -> Frame {
        let memory = Memory(luma)
        let info = FrameInfo(
            sequence: 1, presentationTime: 0, time: Timestamp(nanoseconds: 0), clock: .file, width: width,
            height: height)
        return Frame(
            info: info, format: .gray8, planes: [Plane(base: UnsafePointer(memory.base), stride: stride)],
            storage: memory)
    }

    private static func sineAndCosine(_ degrees: Float) -> (Float, Float) {
        switch degrees {
        case 90: (1, 0)
        case 180: (0, -1)
        case 270: (-1, 0)
        default: (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        }
    }

    private final class Memory {
        let base: UnsafeMutablePointer<UInt8>

        init(_ bytes: [UInt8]) {
            base = .allocate(capacity: bytes.count)
            base.initialize(from: bytes, count: bytes.count)
        }

        deinit { base.deallocate() }
    }
}
