// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Observations
import Settings
import Testing
import Tracking

@testable import VisionDetectors

extension TrackChange {
    fileprivate var barcode: Barcode? {
        if case .barcode(let barcode) = track.detection.content { barcode } else { nil }
    }
}

/// Painted films through the real reader and the real tracker.
@Suite struct BarcodeStreamTests {
    @Test func codesThatMoveAreSeenInEveryFrame() throws {
        let stream = try PaintedStream()
        var square = try PaintedSymbol("https://glimpse.example", .qrCode, x: 100, y: 110, width: 100)
        var line = try PaintedSymbol("4006381333931", .ean13, x: 480, y: 290, width: 220)
        var (reads, followed) = (0, 0)
        for number in 0..<24 {
            square.x += 4
            square.turn += 1
            line.y -= 2
            let changes = try stream.show([square, line])
            let updates = changes.filter { $0.phase == .update }
            #expect(
                Set(updates.map { $0.barcode?.raw }) == ["https://glimpse.example", "4006381333931"], "frame \(number)")
            #expect(Set(updates.map(\.track.id.number)) == [1, 2])
            for update in updates {
                let truth = update.barcode?.format == .qrCode ? square.corners : line.corners
                #expect(truth.box.intersectionOverUnion(update.track.box) > 0.8, "frame \(number)")
                if update.barcode?.isFollowed == true { followed += 1 } else { reads += 1 }
            }
        }
        // Most frames need no decoder, but the decoder runs at intervals.
        #expect(reads >= 2 * 2 && followed > 30)
    }

    @Test func cornersOfASymbolAreSteadyAndItsOwn() throws {
        let stream = try PaintedStream()
        var square = try PaintedSymbol("quiet", .qrCode, x: 200, y: 160, width: 90)
        square.turn = 100
        let line = try PaintedSymbol("12345678", .code128, x: 460, y: 160, width: 230)
        var (corners, angles): ([Barcode.Format: [Quadrilateral]], [Barcode.Format: [Float]]) = ([:], [:])
        for _ in 0..<20 {
            for update in try stream.show([square, line], noise: 8) where update.phase == .update {
                guard let barcode = update.barcode, let format = barcode.format else { continue }
                corners[format, default: []].append(barcode.corners)
                angles[format, default: []].append(barcode.orientation)
            }
        }
        for (symbol, format, angle): (_, Barcode.Format, Float) in [(square, .qrCode, 100), (line, .code128, 0)] {
            let seen = try #require(corners[format])
            #expect(seen.count == 20)
            let jitter = zip(seen, seen.dropFirst()).map { $0.largestOffset(from: $1) }
            #expect((jitter.max() ?? 99) < 2.5, "\(format): \(jitter)")
            #expect(seen.allSatisfy { $0.largestOffset(from: symbol.corners) < 8 }, "\(format)")
            #expect(try #require(angles[format]).allSatisfy { abs($0 - angle) < 2 }, "\(format)")
        }
    }

    @Test func aCodeThatCannotBeReadForAMomentIsFollowedAndOneThatIsCoveredIsMissing() throws {
        let stream = try PaintedStream()
        var square = try PaintedSymbol("still the same", .qrCode, x: 200, y: 160, width: 90)
        func phases(_ symbols: [PaintedSymbol], blur: Int = 0) throws -> [TrackPhase] {
            try stream.show(symbols, blur: blur).map(\.phase)
        }
        #expect(try phases([square]) == [.detected, .update])
        for _ in 0..<5 { #expect(try phases([square]) == [.update]) }
        // Modules of 3.6 pixels under a filter of 7, which no decoder reads.
        for _ in 0..<8 {
            square.x += 2
            #expect(try phases([square], blur: 3) == [.update])
        }
        #expect(try phases([]) == [.missing])
        #expect(try phases([]) == [.missing])
        // Another code in its place is not taken for the old one.
        let other = try PaintedSymbol("something else", .qrCode, x: square.x, y: 160, width: 90)
        var replaced: [TrackPhase] = []
        for _ in 0..<6 where !replaced.contains(.detected) { replaced = try phases([other]) }
        #expect(replaced == [.completed(.payloadChanged), .detected, .update])
    }

    @Test func aReplacedBarcodeIsNotTakenForTheOldOne() throws {
        let stream = try PaintedStream()
        let old = try PaintedSymbol("4006381333931", .ean13, x: 320, y: 180, width: 240)
        let new = try PaintedSymbol("4006381333948", .ean13, x: 320, y: 180, width: 240)
        for _ in 0..<10 { _ = try stream.show([old]) }
        // Two digits differ, so the code looks similar. It is read within the interval between reads, half a second.
        var frames = 0
        while frames < 20, try !stream.show([new]).contains(where: { $0.phase == .detected }) { frames += 1 }
        #expect(frames <= 15, "\(frames) frames")
    }

    @Test func aCodeThatComesIsFoundWhileOthersAreFollowed() throws {
        let stream = try PaintedStream()
        let first = try PaintedSymbol("first", .qrCode, x: 120, y: 180, width: 90)
        let second = try PaintedSymbol("second", .dataMatrix, x: 450, y: 180, width: 90)
        for _ in 0..<10 { _ = try stream.show([first]) }
        var frames = 0
        while frames < 10, try !stream.show([first, second]).contains(where: { $0.phase == .detected }) { frames += 1 }
        #expect(frames < 5)
    }

    @Test func smallFarAndLargeNearCodesAreRead() throws {
        let far = try PaintedStream(width: 1920, height: 1080)
        let small = [
            try PaintedSymbol("FAR-1", .qrCode, x: 300, y: 250, width: 48),
            try PaintedSymbol("FAR-2", .code128, x: 1500, y: 800, width: 150),
        ]
        var seen: Set<String?> = []
        for _ in 0..<5 { seen.formUnion(try far.show(small, noise: 0).map { $0.barcode?.raw }) }
        #expect(seen == ["FAR-1", "FAR-2"])
        let near = try PaintedStream(width: 640, height: 480)
        let large = try PaintedSymbol("https://glimpse.example/near", .qrCode, x: 320, y: 240, width: 340)
        seen = []
        for _ in 0..<3 { seen.formUnion(try near.show([large], noise: 0).map { $0.barcode?.raw }) }
        #expect(seen == ["https://glimpse.example/near"])
    }

    /// Modules as large as what the local threshold looks at.
    @Test func aLargeCodeIsReadInTheFirstFrames() throws {
        for module: Float in [8, 12, 16] {
            let stream = try PaintedStream(width: 640, height: 480)
            let symbol = try PaintedSymbol("NEAR", .qrCode, x: 320, y: 240, width: 21 * module)
            var frames = 0
            while try stream.show([symbol]).isEmpty, frames < 8 { frames += 1 }
            #expect(frames < 2, "\(module) pixels a module")
        }
    }

    @Test func unreadableCodesAreTracksIfConfiguredAndKeepTheirID() throws {
        let stream = try PaintedStream { $0.reportUndecoded = true }
        let square = try PaintedSymbol("at last", .qrCode, x: 320, y: 180, width: 90)
        var changes: [TrackChange] = []
        for _ in 0..<12 { changes += try stream.show([square], blur: 3) }
        let located = try #require(changes.first { $0.phase == .detected })
        #expect(located.barcode?.format == nil && located.barcode?.bytes.isEmpty == true)
        #expect(located.track.detection.confidence == 0.5 && located.track.reads == 0)
        changes = []
        for _ in 0..<30 { changes += try stream.show([square]) }
        #expect(changes.last?.barcode?.raw == "at last")
        #expect(Set(changes.filter { $0.phase == .update }.map(\.track.id)) == [located.track.id])
    }

    @Test func unreadableCodesAreNotReportedByDefault() throws {
        let stream = try PaintedStream()
        let square = try PaintedSymbol("at last", .qrCode, x: 320, y: 180, width: 90)
        var causes: [Explanation.Untracked.Cause] = []
        for _ in 0..<12 {
            #expect(try stream.show([square], blur: 3).isEmpty)
            causes += stream.withheld
        }
        #expect(Set(causes.map { "\($0)" }) == ["undecoded"])
    }

    @Test func barcodeValuesThatAreNotAllowedAreNotReported() throws {
        let settings = try PipelineSettings.parse(
            "[barcode]\nallow = [\"^https://\", \"^[0-9]+$\"]\ndeny = [\"evil\"]\n", source: "test:black", overrides: []
        )
        let stream = try PaintedStream { $0 = settings[BarcodeSettings.self] ?? BarcodeSettings() }
        let symbols = [
            try PaintedSymbol("https://good.example", .qrCode, x: 90, y: 100, width: 90),
            try PaintedSymbol("https://evil.example", .qrCode, x: 300, y: 100, width: 90),
            try PaintedSymbol("plain", .qrCode, x: 500, y: 100, width: 90),
            try PaintedSymbol("4006381333931", .ean13, x: 300, y: 280, width: 220),
        ]
        var (seen, causes): (Set<String?>, Set<String>) = ([], [])
        for _ in 0..<12 {
            seen.formUnion(try stream.show(symbols).map { $0.barcode?.raw })
            causes.formUnion(stream.withheld.map { "\($0)" })
        }
        #expect(seen == ["https://good.example", "4006381333931"])
        #expect(causes.isSuperset(of: ["notAllowed", "denied"]))
    }

    @Test func aFilmOfBarcodesGivesEqualEventsInEachRun() throws {
        func film() throws -> [[TrackChange]] {
            let stream = try PaintedStream()
            var symbol = try PaintedSymbol("again", .aztec, x: 100, y: 180, width: 90)
            return try (0..<10).map { number in
                symbol.x += 9
                return try stream.show(number % 7 == 6 ? [] : [symbol], noise: 8)
            }
        }
        let first = try film()
        #expect(try film() == first)
    }
}
