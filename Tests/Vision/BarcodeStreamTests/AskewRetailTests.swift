// SPDX-License-Identifier: Apache-2.0
import CZXing
import GlimpseTesting
import Observations
import Testing

@testable import VisionDetectors

/// The soft decoder on retail codes that the camera sees askew or that are lit from one side.
@Suite struct AskewRetailTests {
    private static let value = "9780201379624"
    private static let size = (width: 420, height: 160)

    /// A view of an EAN-13, 300 by 100 pixels.
    struct View: CustomTestStringConvertible {
        let testDescription: String
        /// How far the symbol's middle is from the picture's, as a share of the width: one side is farther away.
        var lean: Float = 0
        /// By how much the symbol grows wider from top to bottom: 1 doubles the width over 300 pixels.
        var fan: Float = 0
        /// The light from place 0, the first bar, to 1.
        var light: @Sendable (Float) -> Float = { _ in 1 }
    }

    private func luma(_ view: View, _ modules: [UInt8]) -> [UInt8] {
        let (width, height) = Self.size
        func paper(_ x: Float, _ y: Float) -> Float {
            let v = y - Float(height) / 2
            let place = (x - Float(width) / 2) / (1 + view.fan * v / 300) / 300 + 0.5
            // `place` is u + 4 lean u (1 - u).
            let slope = 1 + 4 * view.lean
            let u =
                view.lean == 0
                ? place : (slope - max(0, slope * slope - 16 * view.lean * place).squareRoot()) / (8 * view.lean)
            guard abs(v) < 50, u >= 0, u < 1 else { return 220 }
            return modules[Int(u * Float(modules.count))] == 0 ? 25 : 220
        }
        var out: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                // A pixel and half of the next ones, so that edges are blurred.
                let sum = (0..<8).reduce(Float(0)) {
                    $0 + paper(Float(x) + 0.25 * Float($1) - 0.375, Float(y) + 0.5)
                }
                out.append(UInt8(sum / 8 * view.light((Float(x) - 60) / 300)))
            }
        }
        return out
    }

    @Test(arguments: [
        View(testDescription: "level"), View(testDescription: "right side farther away", lean: 0.06),
        View(testDescription: "left side farther away", lean: -0.06),
        View(testDescription: "top farther away", fan: 0.6),
        View(testDescription: "right side in the shade", light: { $0 < 0.5 ? 1 : max(0.3, 1 - 1.2 * ($0 - 0.5)) }),
    ])
    func anEANCodeThatIsSeenAskewIsReadByLikelihood(_ view: View) throws {
        let symbol = try SymbolWriter.draw(Self.value, as: .ean13, quietZone: 0)
        let pixels = luma(view, Array(symbol.modules.prefix(symbol.columns)))
        let evidence = try #require(SymbolEvidence())
        try pixels.withUnsafeBufferPointer { pixels in
            let luma = czx_luma(
                pixels: pixels.baseAddress, width: Int32(Self.size.width), height: Int32(Self.size.height),
                stride: Int32(Self.size.width))
            _ = try #require(evidence.begin(at: Box(x: 56, y: 28, width: 308, height: 104), in: luma))
        }
        #expect(evidence.read(formats: 0).symbol?.raw == Self.value)
    }
}
