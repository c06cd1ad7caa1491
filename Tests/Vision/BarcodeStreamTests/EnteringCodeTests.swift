// SPDX-License-Identifier: Apache-2.0
import Observations
import Testing
import Tracking

@testable import VisionDetectors

/// Codes that come into view while others stay.
@Suite struct EnteringCodeTests {
    /// Frames from when a symbol is wholly in view to `detected`, for every symbol of a page that scrolls up.
    ///
    /// - Parameter speed: pixels a frame.
    private func delays(speed: Float, gap: Int?) throws -> [String: Int] {
        let stream = try PaintedStream(configure: { if let gap { $0.gap = .frames(limit: gap) } })
        var symbols: [PaintedSymbol] = []
        for row in 0..<3 {
            let y = Float(420 + 130 * row)
            symbols += [
                try PaintedSymbol("square \(row)", .qrCode, x: 110, y: y, width: 84),
                try PaintedSymbol("line \(row)", .code128, x: 320, y: y, width: 200),
                try PaintedSymbol("part \(row)", .dataMatrix, x: 540, y: y, width: 60),
            ]
        }
        let texts = (0..<3).flatMap { ["square \($0)", "line \($0)", "part \($0)"] }
        var (entered, delays): ([String: Int], [String: Int]) = ([:], [:])
        for number in 0..<Int(400 / speed) {
            for index in symbols.indices {
                symbols[index].y -= speed
                if entered[texts[index]] == nil, symbols[index].corners.box.maxY < Float(stream.height - 8) {
                    entered[texts[index]] = number
                }
            }
            for change in try stream.show(symbols) where change.phase == .detected {
                guard case .barcode(let barcode) = change.track.detection.content, let raw = barcode.raw
                else { continue }
                if delays[raw] == nil { delays[raw] = number - (entered[raw] ?? number) }
            }
        }
        for text in texts where delays[text] == nil { delays[text] = 999 }
        return delays
    }

    @Test(arguments: [4.0] as [Float], [nil, 3])
    func codesOfAScrollingPageAreDetectedWithinFiveFrames(speed: Float, gap: Int?) throws {
        let delays = try delays(speed: speed, gap: gap)
        #expect(delays.count == 9)
        #expect(delays.allSatisfy { $0.value <= 5 }, "\(delays.filter { $0.value > 5 })")
    }

    /// Parts of codes at the picture's edge look like codes and cannot be read. They must not take the budget from a
    /// code that is wholly in view.
    @Test(arguments: 0..<6) func aWholeCodeComesBeforePartsAtTheEdge(place: Int) throws {
        let stream = try PaintedStream()
        let (width, height) = (stream.width, stream.height)
        // Checks of 4 pixels in patches of 100x100 along the edge, with gaps between them.
        stream.background = { x, y in
            let isAtEdge = x < 100 || x >= width - 100 || y < 100 || y >= height - 100
            let isPatch = isAtEdge && x % 120 < 100 && y % 120 < 100
            return isPatch && (x / 4 &* 7 &+ y / 4 &* 13 &+ (x / 4) &* (y / 4)) % 5 < 2 ? 30 : 210
        }
        let (column, row) = (place % 3, place / 3)
        let code = try PaintedSymbol(
            "whole", .qrCode, x: Float(width / 2 + 60 * (column - 1)), y: Float(height / 2 + 40 * row), width: 84)
        var shown = 0
        var isDetected = false
        while !isDetected, shown < 10 {
            shown += 1
            isDetected = try stream.show([code]).contains { change in
                guard case .barcode(let barcode) = change.track.detection.content else { return false }
                return change.phase == .detected && barcode.raw == "whole"
            }
        }
        #expect(shown <= 2)
    }
}
