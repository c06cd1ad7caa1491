// SPDX-License-Identifier: Apache-2.0
import CZXing
import GlimpseTesting
import Observations
import Testing

@testable import VisionDetectors

/// The C entries that the stream reader uses, with invalid arguments and with damaged pictures. The results are in
/// range, and an abort ends the test run.
@Suite struct StreamFuzzTests {
    @Test(arguments: Fuzz.seeds(400)) func hostileBarcodeStreamArgumentsDoNoHarm(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let reader = try #require(czx_reader_create())
        defer { czx_reader_destroy(reader) }
        let pattern = try #require(czx_pattern_create())
        defer { czx_pattern_destroy(pattern) }
        let picture = try Picture(&random)
        try picture.pixels.withUnsafeBufferPointer { pixels in
            var luma = czx_luma(
                pixels: pixels.baseAddress, width: Int32(picture.width), height: Int32(picture.height),
                stride: Int32(picture.width))
            for _ in 0..<4 {
                try expectSane(readNew(reader, &luma, &random), picture)
                try expectSane(readPlace(reader, &luma, &random), picture)
                judge(&luma, &random)
                let learned = czx_pattern_learn(pattern, &luma, corners(&random))
                #expect(learned <= 1)
                var found = [Float](repeating: 0, count: 8)
                let likeness = czx_pattern_find(pattern, &luma, corners(&random), &found)
                #expect(likeness <= 1.01 && found.allSatisfy(\.isFinite))
            }
        }
    }

    /// Symbols with damage.
    private struct Picture {
        let width: Int
        let height: Int
        var pixels: [UInt8]

        init(_ random: inout SeededRandom) throws {
            (width, height) = (.random(in: 1...260, using: &random), .random(in: 1...260, using: &random))
            pixels = Array(repeating: .random(in: 100...255, using: &random), count: width * height)
            let format = [Barcode.Format.qrCode, .aztec, .dataMatrix, .pdf417, .code128].randomElement(using: &random)
            let symbol = try SymbolWriter.draw("\(random.next())", as: format ?? .qrCode, quietZone: 2)
            let (module, left, top) = (
                Int.random(in: 1...5, using: &random), Int.random(in: -20...60, using: &random),
                Int.random(in: -20...60, using: &random)
            )
            for y in 0..<height {
                for x in 0..<width where x >= left && y >= top {
                    let (column, row) = ((x - left) / module, (y - top) / module)
                    guard column < symbol.columns, row < symbol.rows else { continue }
                    pixels[y * width + x] = symbol.modules[row * symbol.columns + column]
                }
            }
            for _ in 0..<Int.random(in: 0...400, using: &random) {
                pixels[.random(in: pixels.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
        }
    }

    private func number(_ random: inout SeededRandom) -> Float {
        let odd: [Float] = [.nan, .infinity, -.infinity, 1e30, -1e30, 99_999, -99_999, 0]
        return Int.random(in: 0..<40, using: &random) == 0
            ? odd.randomElement(using: &random) ?? 0 : .random(in: -50...310, using: &random)
    }

    private func corners(_ random: inout SeededRandom) -> [Float] { (0..<8).map { _ in number(&random) } }

    private func rect(_ random: inout SeededRandom) -> czx_rect {
        func side() -> Int32 {
            Int.random(in: 0..<12, using: &random) == 0
                ? [Int32.min, .max, 0, -1].randomElement(using: &random) ?? 0 : .random(in: -40...300, using: &random)
        }
        return czx_rect(left: side(), top: side(), right: side(), bottom: side())
    }

    private typealias Found = (count: Int32, symbols: [czx_symbol], arena: Int)

    private func options(_ random: inout SeededRandom) -> czx_options {
        czx_options(
            formats: Bool.random(using: &random) ? 0 : .random(in: 0..<(1 << 23), using: &random),
            effort: .random(in: -1...3, using: &random), max_symbols: .random(in: -1...4, using: &random))
    }

    private func readNew(_ reader: OpaquePointer, _ luma: inout czx_luma, _ random: inout SeededRandom) -> Found {
        var options = options(&random)
        let known = (0..<Int.random(in: 0...3, using: &random)).flatMap { _ in corners(&random) }
        let hopeless = (0..<Int.random(in: 0...5, using: &random)).map { _ in rect(&random) }
        var unread = [czx_rect](repeating: czx_rect(), count: .random(in: 0...5, using: &random))
        let changed = Int32.random(in: -1...6, using: &random)
        let budget = [0, -1, 1e5, 1e7, .infinity, .nan].randomElement(using: &random) ?? 0
        var symbols = [czx_symbol](repeating: czx_symbol(), count: .random(in: 0...5, using: &random))
        var arena = [UInt8](repeating: 0, count: [0, 1, 20, 5000].randomElement(using: &random) ?? 0)
        let count = known.withUnsafeBufferPointer { known in
            hopeless.withUnsafeBufferPointer { hopeless in
                unread.withUnsafeMutableBufferPointer { unread in
                    var search = czx_search(
                        known: known.baseAddress, known_count: Int32(known.count / 8), hopeless: hopeless.baseAddress,
                        hopeless_count: Int32(hopeless.count), changed_count: changed, budget: budget,
                        unread: unread.baseAddress, unread_capacity: Int32(unread.count), unread_count: -7,
                        bars_count: -7)
                    let count = czx_read_new(
                        reader, &luma, &options, &search, &symbols, Int32(symbols.count), &arena, arena.count, nil, 0)
                    #expect(search.unread_count <= Int32(unread.count))
                    #expect(count < 0 || (0...max(0, search.unread_count)).contains(search.bars_count))
                    return count
                }
            }
        }
        return (count, symbols, arena.count)
    }

    private func judge(_ luma: inout czx_luma, _ random: inout SeededRandom) {
        var place = rect(&random)
        #expect(czx_looks_like_code(&luma, &place) <= 1)
        let formats: [Barcode.Format] = [.ean13, .ean8, .upcA, .upcE, .qrCode]
        let format = formats.randomElement(using: &random)?.mask ?? 0
        let digits = (0..<Int.random(in: 0...14, using: &random)).map { _ in UInt8.random(in: 46...58, using: &random) }
        #expect(czx_retail_margin(&luma, format, digits, digits.count, corners(&random)).isFinite)
    }

    private func readPlace(_ reader: OpaquePointer, _ luma: inout czx_luma, _ random: inout SeededRandom) -> Found {
        var (options, place) = (options(&random), rect(&random))
        var symbols = [czx_symbol](repeating: czx_symbol(), count: .random(in: 0...5, using: &random))
        var arena = [UInt8](repeating: 0, count: [0, 1, 20, 5000].randomElement(using: &random) ?? 0)
        let count = czx_read_place(
            reader, &luma, &options, &place, number(&random),
            .random(in: -1...Int32(CZX_WAYS), using: &random),
            &symbols, Int32(symbols.count), &arena, arena.count, nil, 0)
        return (count, symbols, arena.count)
    }

    private func expectSane(_ found: Found, _ picture: Picture) throws {
        try #require(found.count <= Int32(found.symbols.count))
        for symbol in found.symbols.prefix(Int(max(0, found.count))) {
            #expect(Int(symbol.bytes_offset) + Int(symbol.bytes_length) <= found.arena)
            let c = symbol.corners
            #expect([c.0, c.1, c.2, c.3, c.4, c.5, c.6, c.7].allSatisfy { abs($0) < 5000 })
        }
    }
}
