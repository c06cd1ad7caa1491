// SPDX-License-Identifier: Apache-2.0
import CZXing
import GlimpseTesting
import Observations
import Testing

@testable import VisionDetectors

/// The match of the bars with a value, compared with all other values.
@Suite struct RetailMarginTests {
    private static let values: [(Barcode.Format, String)] = [
        (.ean13, "4006381333931"), (.ean13, "9780201379624"), (.ean8, "96385074"), (.upcA, "036000291452"),
        (.upcA, "654497166505"), (.upcE, "01234565"), (.upcE, "04965802"), (.upcE, "12345670"),
    ]

    @Test(arguments: values, [1.1, 1.6, 4] as [Float])
    func theShownRetailValueHasAMarginOverAllOthers(value: (Barcode.Format, String), module: Float) throws {
        let (format, digits) = value
        var random = SeededRandom(seed: UInt64(module * 10))
        var symbol = try PaintedSymbol(digits, format, x: 251.3, y: 100.7, width: module * modules(format))
        symbol.turn = 4
        symbol.contrast = 90
        var pixels = [UInt8](repeating: 120, count: 500 * 200)
        for index in pixels.indices {
            let light = symbol.paper(index % 500, index / 500).map { 128 + ($0 - 0.5) * symbol.contrast } ?? 120
            pixels[index] = UInt8(light + .random(in: -14...14, using: &random))
        }
        #expect(margin(digits, format, symbol, pixels) > 5)
        for other in others(than: digits, format, &random) {
            let behind = margin(other, format, symbol, pixels)
            // Another check digit of UPC-E changes most of the bars, so that the picture may say nothing.
            #expect(format == .upcE ? behind <= 0 : behind < 0, "\(other)")
        }
        // A misread of a real film: UPC-A with another first digit is EAN-13.
        if digits == "654497166505" { #expect(margin("3651127166505", .ean13, symbol, pixels) < 0) }
    }

    @Test func aPictureInDoubtGivesNoRetailMargin() throws {
        let symbol = try PaintedSymbol("96385074", .ean8, x: 250, y: 100, width: 200)
        let even = [UInt8](repeating: 120, count: 500 * 200)
        #expect(margin("96385074", .ean8, symbol, even) == 0)
        #expect(margin("9638507", .ean8, symbol, even) == 0)
        #expect(margin("9638507x", .ean8, symbol, even) == 0)
        #expect(margin("HELLO", .code128, symbol, even) == 0)
    }

    private func modules(_ format: Barcode.Format) -> Float { format == .ean8 ? 67 : format == .upcE ? 51 : 95 }

    private func margin(
        _ digits: String, _ format: Barcode.Format, _ symbol: PaintedSymbol, _ pixels: [UInt8]
    ) -> Float {
        pixels.withUnsafeBufferPointer { pixels in
            var luma = czx_luma(pixels: pixels.baseAddress, width: 500, height: 200, stride: 500)
            let text = Array(digits.utf8)
            return czx_retail_margin(&luma, format.mask, text, text.count, symbol.corners.coordinates)
        }
    }

    /// Values with two other digits and a valid check digit.
    private func others(than digits: String, _ format: Barcode.Format, _ random: inout SeededRandom) -> [String] {
        var found: [String] = []
        while found.count < 20 {
            var other = Array(digits.utf8)
            let first = format == .upcE ? 1 : 0
            other[.random(in: first..<(other.count - 1), using: &random)] = .random(in: 48...57, using: &random)
            let checked = [UInt8](expanded(other, format).dropLast())
            let sum = checked.reversed().enumerated().reduce(0) {
                $0 + Int($1.element - 48) * ($1.offset % 2 == 0 ? 3 : 1)
            }
            other[other.count - 1] = UInt8(48 + (10 - sum % 10) % 10)
            if other != Array(digits.utf8) { found.append(String(decoding: other, as: UTF8.self)) }
        }
        return found
    }

    /// UPC-E as UPC-A.
    private func expanded(_ e: [UInt8], _ format: Barcode.Format) -> [UInt8] {
        guard format == .upcE else { return e }
        let digits = String(decoding: e, as: UTF8.self).map(String.init)
        func part(_ range: ClosedRange<Int>) -> String { digits[range].joined() }
        let expanded =
            switch digits[6] {
            case "0", "1", "2": "\(part(0...2))\(digits[6])0000\(part(3...5))"
            case "3": "\(part(0...3))00000\(part(4...5))"
            case "4": "\(part(0...4))00000\(digits[5])"
            default: "\(part(0...5))0000\(digits[6])"
            }
        return Array((expanded + digits[7]).utf8)
    }
}
