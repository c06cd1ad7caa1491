// SPDX-License-Identifier: Apache-2.0
import Detectors
import GlimpseTesting
import Observations
import Settings
import Testing

/// Damaged symbols in pictures of every shape. With any result of the reader, the process continues and places are
/// valid.
@Suite struct BarcodeFuzzTests {
    @Test(arguments: Fuzz.seeds(60)) func damagedBarcodePicturesDoNoHarm(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let symbols = DrawnSymbol.each(Int.random(in: 0...99, using: &random))
        var picture = SymbolPicture(
            width: .side(&random), height: .side(&random),
            padding: [0, 1, 3, 64, 5000].randomElement(using: &random) ?? 0,
            paper: .random(in: 100...255, using: &random))
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            guard let symbol = symbols.randomElement(using: &random) else { continue }
            let place = Point(
                x: .random(in: 0...Float(picture.width), using: &random),
                y: .random(in: 0...Float(picture.height), using: &random))
            try picture.paint(
                symbol.drawn, as: symbol.format, center: place, module: .random(in: 0.6...5, using: &random),
                angle: [0, 90, .random(in: 0...360, using: &random)].randomElement(using: &random) ?? 0)
        }
        for _ in 0..<Int.random(in: 0...3, using: &random) { picture.damage(&random) }

        let formats = Barcode.Format.allCases.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
        let effort = BarcodeSettings.Effort.allCases.randomElement(using: &random) ?? .hard
        let detector = try barcodeDetector(effort, Set(formats.isEmpty ? [.qrCode] : formats))
        for detection in try detector.detect(in: picture.frame()) {
            let barcode = try #require(detection.barcode)
            #expect(barcode.format.map(formats.contains) == true)
            #expect(barcode.corners.points.allSatisfy { $0.isFinite })
            #expect(detection.box.isValid && detection.box.maxX <= Float(picture.width))
            #expect(detection.box.maxY <= Float(picture.height) && !barcode.bytes.isEmpty)
        }
    }
}

extension Int {
    /// Mostly ordinary, at times hardly a picture.
    fileprivate static func side(_ random: inout SeededRandom) -> Int {
        Int.random(in: 0..<5, using: &random) == 0
            ? .random(in: 1...12, using: &random) : .random(in: 40...260, using: &random)
    }
}

extension SymbolPicture {
    mutating func damage(_ random: inout SeededRandom) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0:  // noise
            let strength = Int.random(in: 1...120, using: &random)
            for index in luma.indices {
                luma[index] = UInt8(clamping: Int(luma[index]) + .random(in: -strength...strength, using: &random))
            }
        case 1: luma = luma.map { 255 - $0 }
        case 2:  // little contrast
            let share = Int.random(in: 1...8, using: &random)
            luma = luma.map { UInt8(128 + (Int($0) - 128) / (2 * share)) }
        case 3:  // an even rectangle
            let (left, top) = (Int.random(in: 0..<width, using: &random), Int.random(in: 0..<height, using: &random))
            let value = UInt8.random(in: 0...255, using: &random)
            for y in top..<Int.random(in: top...height, using: &random) {
                for x in left..<min(width, left + 40) { luma[y * stride + x] = value }
            }
        case 4:  // rows moved sideways
            for y in 0..<height where Int.random(in: 0..<3, using: &random) == 0 {
                let row = luma[y * stride..<y * stride + width]
                let by = Int.random(in: 0..<width, using: &random)
                luma.replaceSubrange(y * stride..<y * stride + width, with: row.dropFirst(by) + row.prefix(by))
            }
        default:  // pixels turned over
            for _ in 0..<luma.count / 40 {
                let index = Int.random(in: luma.indices, using: &random)
                luma[index] = 255 - luma[index]
            }
        }
    }
}
