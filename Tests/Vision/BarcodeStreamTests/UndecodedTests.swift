// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Observations
import Settings
import Testing
import Tracking

@testable import VisionDetectors

/// `report_undecoded` reports symbols that are located and not read.
@Suite struct UndecodedTests {
    private func undecoded(_ changes: [TrackChange]) -> [TrackChange] {
        changes.filter {
            if case .barcode(let barcode) = $0.track.detection.content { barcode.bytes.isEmpty } else { false }
        }
    }

    /// A QR code behind a panel from frame 15 to 33, beside a code that no decoder reads.
    @Test func undecodedTracksDoNotChangeReadCodes() throws {
        func film(_ reportsUndecoded: Bool) throws -> [[String]] {
            let stream = try PaintedStream { $0.reportUndecoded = reportsUndecoded }
            var known = try PaintedSymbol("behind a panel", .qrCode, x: 200, y: 160, width: 90)
            var faint = try PaintedSymbol("never read", .dataMatrix, x: 330, y: 170, width: 80)
            faint.contrast = 60
            stream.background = { x, y in UInt8(120 + 30 * sinf(Float(x * x + 3 * y * x) / 900)) }
            return try (0..<60).map { number in
                known.x += 0.3
                faint.x += 0.3
                let isHidden = (15..<34).contains(number)
                stream.panels = isHidden ? [Box(x: known.x - 60, y: 90, width: 120, height: 140)] : []
                return try stream.show([known, faint], noise: 12).compactMap { change in
                    guard case .barcode(let barcode) = change.track.detection.content, let raw = barcode.raw else {
                        return nil
                    }
                    return "\(change.phase) \(raw)"
                }
            }
        }
        let (plain, reporting) = (try film(false), try film(true))
        #expect(reporting == plain)
        #expect(plain[34].contains { $0.hasPrefix("update behind a panel") })
        #expect(
            plain[16..<34].allSatisfy { lines in
                lines.allSatisfy { $0.hasPrefix("missing") || !$0.contains("behind a panel") }
            })
    }

    @Test(arguments: ["fence", "stripes", "keyboard", "text", "hair"])
    func aTextureIsNotAnUndecodedCode(_ texture: String) throws {
        let stream = try PaintedStream { $0.reportUndecoded = true }
        var random = SeededRandom(seed: 11)
        let widths = (0..<200).map { _ in Int(random.next() % 9) + 2 }
        let stripes = widths.enumerated().flatMap {
            Array(repeating: UInt8($0.offset % 2 == 0 ? 210 : 40), count: $0.element)
        }
        let glyphs = (0..<4096).map { _ in random.next() % 5 < 2 }
        func isInk(_ x: Int, _ y: Int, cell: Int) -> Bool { glyphs[(y / cell * 97 + x / cell) & 4095] }
        var changes: [TrackChange] = []
        for number in 0..<20 {
            let shift = number * 4
            stream.background = { px, y in
                let x = px + shift
                let isCloth = (60..<180).contains(x % 300) && (60..<200).contains(y)
                switch texture {
                case "fence": return x % 14 < 8 ? 60 : 200
                case "stripes": return isCloth ? stripes[x % 600] : 150
                case "keyboard":
                    let isKey = x % 24 < 19 && y % 24 < 19
                    let isLegend = (6..<12).contains(x % 24) && (5..<14).contains(y % 24) && isInk(x, y, cell: 2)
                    return !isKey ? 110 : isLegend ? 220 : 35
                case "text": return y % 26 < 12 && x % 90 < 70 && isInk(x, y, cell: 3) ? 30 : 235
                default: return UInt8(120 + 60 * sinf(Float(x) * 0.7 + 3 * sinf(Float(y) * 0.03)))
                }
            }
            changes += undecoded(try stream.show([], noise: 5))
        }
        #expect(changes.isEmpty)
    }
}
