// SPDX-License-Identifier: Apache-2.0
import CZXing
import GlimpseTesting
import Observations
import Testing

@testable import VisionDetectors

/// The left half of an EAN-13 has the bars of a UPC-E of number system 1. A place may show that half alone.
@Suite struct HalfRetailTests {
    private static let modules: Float = 51

    /// The soft decoder's reading of the first 51 modules, 2.2 pixels each, with the picture around them.
    private func read(_ symbol: PaintedSymbol, contrast: Float = 180) throws -> String? {
        let (width, height) = (420, 160)
        var random = SeededRandom(seed: 7)
        var pixels = [UInt8](repeating: 0, count: width * height)
        for index in pixels.indices {
            let light = 210 - contrast * (1 - (symbol.paper(index % width, index / width) ?? 1))
            pixels[index] = UInt8(light + .random(in: -8...8, using: &random))
        }
        let evidence = try #require(SymbolEvidence())
        try pixels.withUnsafeBufferPointer { pixels in
            let luma = czx_luma(
                pixels: pixels.baseAddress, width: Int32(width), height: Int32(height), stride: Int32(width))
            let place = Box(
                x: symbol.x - symbol.width / 2 - 4, y: 60, width: Self.modules * symbol.scale + 8,
                height: 40)
            _ = try #require(evidence.begin(at: place, in: luma))
        }
        return evidence.read(formats: 0).symbol?.raw
    }

    @Test(arguments: ["9780207333330", "9780207733338", "4006383333335", "3012340733330"])
    func theLeftHalfOfAnEANCodeIsNotReadAsUPCE(value: String) throws {
        let symbol = try PaintedSymbol(value, .ean13, x: 210, y: 80, width: 2.2 * 95)
        let raw = try read(symbol)
        #expect(raw == nil || raw == value)
    }

    @Test func aUPCECodeOfNumberSystemOneIsReadByLikelihood() throws {
        let symbol = try PaintedSymbol("17802079", .upcE, x: 210, y: 80, width: 2.2 * Self.modules)
        #expect(try read(symbol) == "17802079")
    }
}
