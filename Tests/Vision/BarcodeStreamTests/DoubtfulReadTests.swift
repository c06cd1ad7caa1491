// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations
import Settings
import Testing
import Tracking

@testable import VisionDetectors

/// Retail codes of about a pixel a module in noise: the check digit lets one wrong guess in ten pass.
@Suite struct DoubtfulReadTests {
    private static let values = [
        "4006381333931", "9780201379624", "5012345678900", "7610032065743",
    ]

    @Test(arguments: [1.1, 1.6] as [Float])
    func noWrongBarcodeValueIsReported(module: Float) throws {
        var right = 0
        for (number, value) in Self.values.enumerated() {
            let stream = try PaintedStream(width: 240, height: 120)
            var symbol = try PaintedSymbol(value, .ean13, x: 110, y: 60, width: 95 * module)
            symbol.turn = Float(number) - 3
            var seen: Set<String> = []
            for _ in 0..<30 {
                symbol.x += 0.21
                symbol.y += 0.13
                for change in try stream.show([symbol], noise: 12) {
                    guard case .barcode(let barcode) = change.track.detection.content else { continue }
                    seen.insert(barcode.raw ?? "")
                }
            }
            #expect(seen.subtracting([value]).isEmpty)
            if seen.contains(value) { right += 1 }
        }
        // Some of the larger ones are readable.
        if module == 1.6 { #expect(right > 0) }
    }

    @Test func aClearCodeOfAnySizeNeedsOneRead() throws {
        for width in [150, 240] as [Float] {
            let stream = try PaintedStream()
            let symbol = try PaintedSymbol("4006381333931", .ean13, x: 320, y: 180, width: width)
            var changes: [TrackChange] = []
            for _ in 0..<9 where changes.isEmpty { changes = try stream.show([symbol], noise: 0) }
            #expect(changes.first?.track.reads == 1, "\(width) pixels")
        }
    }
}
