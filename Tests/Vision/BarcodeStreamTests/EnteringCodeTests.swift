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
}
