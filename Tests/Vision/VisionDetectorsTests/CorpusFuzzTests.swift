// SPDX-License-Identifier: Apache-2.0
import Frames
import GlimpseTesting
import Observations
import Settings
import Testing

/// Damaged parts of the corpus's pictures: an abort of the decoder ends the test run.
@Suite(.enabled(if: SharedData.has("corpora/barcodes/LICENSE"), "no shared data beside the checkout"))
struct CorpusFuzzTests {
    @Test(arguments: Fuzz.seeds(200)) func damagedCorpusPicturesDoNoHarm(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let path = try #require(CorpusPicture.all.randomElement(using: &random))
        var picture = try SymbolPicture(window: CorpusPicture.frame(path), longest: 360, &random)
        for _ in 0..<Int.random(in: 1...3, using: &random) { picture.damage(&random) }
        let effort = BarcodeSettings.Effort.allCases.randomElement(using: &random) ?? .hard
        for detection in try barcodeDetector(effort).detect(in: picture.frame()) {
            let barcode = try #require(detection.barcode)
            #expect(barcode.corners.points.allSatisfy { $0.isFinite }, "\(path)")
            #expect(detection.box.isValid && detection.box.maxX <= Float(picture.width), "\(path)")
            #expect(detection.box.maxY <= Float(picture.height), "\(path)")
        }
    }
}

extension SymbolPicture {
    /// A window anywhere in a frame, at most `longest` pixels wide and high.
    fileprivate init(window frame: Frame, longest: Int, _ random: inout SeededRandom) {
        let (columns, rows) = (min(frame.width, longest), min(frame.height, longest))
        let left = Int.random(in: 0...frame.width - columns, using: &random)
        let top = Int.random(in: 0...frame.height - rows, using: &random)
        self.init(width: columns, height: rows, padding: Int.random(in: 0...9, using: &random))
        frame.withPlanes { planes in
            for y in 0..<rows {
                for x in 0..<columns {
                    luma[y * stride + x] = planes[0].base[(top + y) * planes[0].stride + left + x]
                }
            }
        }
    }
}
