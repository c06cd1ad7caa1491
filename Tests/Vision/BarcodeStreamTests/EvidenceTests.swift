// SPDX-License-Identifier: Apache-2.0
import Frames
import GlimpseTesting
import Observations
import Testing
import Tracking

@testable import VisionDetectors

/// Retail codes that are read by likelihood, and codes of cartons that are read from sharpened lines.
@Suite struct EvidenceTests {
    /// The first report of each value in the changes.
    private func reads(_ changes: [TrackChange]) -> [String: (reads: Int, frames: Int?)] {
        var found: [String: (reads: Int, frames: Int?)] = [:]
        for change in changes {
            guard case .barcode(let barcode) = change.track.detection.content, let raw = barcode.raw, found[raw] == nil
            else { continue }
            found[raw] = (change.track.reads, barcode.evidenceFrames)
        }
        return found
    }

    /// A stream of white paper.
    private func paper() throws -> PaintedStream {
        let stream = try PaintedStream(width: 320, height: 160)
        stream.background = { _, _ in 205 }
        return stream
    }

    /// The searches have used the budget, and stripes that look like codes have had their turns.
    @Test func aPlaceHasACloserLookInTimeWhateverTheSearchesHaveCost() throws {
        let (width, height) = (320, 160)
        let symbol = try PaintedSymbol("4006381333931", .ean13, x: 150, y: 80, width: 140)
        let stripes = (0..<UnreadCodes.capacity).map { Box(x: 10, y: 10 + 50 * Float($0), width: 120, height: 36) }
        func frame(_ number: Int, _ paper: (Int, Int) -> Float) -> Frame {
            let pixels = (0..<(width * height)).map { UInt8(30 + 190 * paper($0 % width, $0 / width)) }
            return FrameOfBytes(pixels, width, height).frame(number, seconds: Double(number) / 10)
        }
        let before = frame(0) { x, y in
            let isStripe = (10..<130).contains(x) && (10...).contains(y) && (y - 10) % 50 < 36
            return isStripe && (x / 3 &* 5) % 7 < 3 ? 0 : 1
        }
        let after = frame(1) { symbol.paper($0, $1) ?? 1 }
        var planner = ScanPlanner(.adaptive)
        planner.streamBegan(pixels: width * height)
        planner.spent(1e9)
        var codes = UnreadCodes(formats: 0)
        codes.found(stripes, bars: [])
        var read: [String?] = []
        for seconds in [0, 0.1, 0.2] {
            read.append(codes.look(LumaView(before, .full), at: seconds, besides: [], &planner)?.raw)
        }
        codes.found([symbol.corners.box], bars: [])
        read.append(codes.look(LumaView(after, .full), at: 0.25, besides: [], &planner)?.raw)
        read.append(codes.look(LumaView(after, .full), at: 0.3, besides: [], &planner)?.raw)
        #expect(read.prefix(3) == [nil, nil, nil] && read.contains("4006381333931"), "\(read)")
        #expect(!planner.mayOverdraw)
    }

    @Test func aCodeThatTheDecoderCannotReadIsReadByLikelihood() throws {
        let (stream, value) = (try paper(), "4006381333931")
        var symbol = try PaintedSymbol(value, .ean13, x: 150, y: 80, width: 125)
        (symbol.turn, symbol.contrast) = (-2, 150)
        var changes: [TrackChange] = []
        for _ in 0..<60 {
            symbol.x += 0.23
            symbol.y += 0.11
            changes += try stream.show([symbol], noise: 6, blur: 1)
        }
        let found = reads(changes)
        #expect(Array(found.keys) == [value])
        #expect(found[value]?.reads == 1)
        #expect(found[value]?.frames ?? 0 >= 1)
    }

    /// It has 101 modules of 1.15 pixels.
    @Test(arguments: [-2, 178] as [Float])
    func aCodeOfACartonThatTheDecoderCannotReadIsReadSharpened(_ turn: Float) throws {
        let stream = try paper()
        var symbol = try PaintedSymbol("GL-4821", .code128, x: 150, y: 80, width: 116)
        (symbol.turn, symbol.contrast) = (turn, 150)
        var changes: [TrackChange] = []
        for _ in 0..<40 {
            symbol.x += 0.23
            changes += try stream.show([symbol], noise: 14)
        }
        #expect(Array(reads(changes).keys) == ["GL-4821"])
        guard case .barcode(let barcode) = changes.last?.track.detection.content else { return }
        let distances = zip(barcode.corners.coordinates, symbol.corners.coordinates).map { abs($0 - $1) }
        #expect(distances.allSatisfy { $0 < 12 }, "\(barcode.corners) \(symbol.corners)")
    }

    @Test(arguments: [("GL-4821", .code128), ("03012345678906", .itf)] as [(String, Barcode.Format)])
    func evidenceOfACartonGivesItsValueOnlyIfItIsAskedFor(_ value: String, format: Barcode.Format) throws {
        let symbol = try PaintedSymbol(value, format, x: 150, y: 80, width: 160)
        let pixels = (0..<(320 * 160)).map { UInt8(30 + 150 * (symbol.paper($0 % 320, $0 / 320) ?? 1)) }
        let view = LumaView(FrameOfBytes(pixels, 320, 160).frame(1, seconds: 0), .full)
        let evidence = try #require(SymbolEvidence())
        _ = try #require(evidence.begin(at: symbol.corners.box, in: view.luma))
        let read = try #require(evidence.read(formats: 0).symbol)
        #expect(read.raw == value && read.format == format)
        let others = [Barcode.Format.code128, .itf, .ean13].filter { $0 != format }
        #expect(evidence.read(formats: others.reduce(0) { $0 | $1.mask }).symbol == nil)
    }

    /// The outline of a label touches the bars, so the search sees one place without a main direction.
    @Test func aCodeWhoseBarsTouchPrintIsReadByLikelihood() throws {
        let (stream, value) = (try paper(), "4006381333931")
        var symbol = try PaintedSymbol(value, .ean13, x: 150, y: 80, width: 125)
        (symbol.turn, symbol.contrast) = (-2, 150)
        let box = symbol.corners.box
        stream.background = { x, y in
            let (across, along) = (abs(Float(x) - box.center.x), abs(Float(y) - box.center.y))
            let isOutline = abs(across - box.width / 2 - 10) < 2 && along < box.height / 2 + 16
            let isPrint =
                abs(along - box.height / 2 - 10) < 7 && across < box.width / 2 + 12 && (x / 3 + y / 3) % 2 == 0
            return isOutline || isPrint ? 40 : 205
        }
        var changes: [TrackChange] = []
        for _ in 0..<40 { changes += try stream.show([symbol], noise: 6, blur: 1) }
        #expect(Array(reads(changes).keys) == [value])
    }

    /// The edges above and below the bars fall into the same cells of the search, wherever the bars stand.
    @Test(arguments: 0..<8) func aCodeHardlyTwoCellsHighIsReadByLikelihood(_ offset: Int) throws {
        let (stream, value) = (try paper(), "04965802")
        var symbol = try PaintedSymbol(value, .upcE, x: 150, y: 76 + Float(offset), width: 64)
        symbol.contrast = 150
        #expect((12..<14).contains(symbol.corners.box.height))
        var changes: [TrackChange] = []
        for _ in 0..<40 { changes += try stream.show([symbol], noise: 6, blur: 1) }
        #expect(Array(reads(changes).keys) == [value])
    }

    /// Bars of less contrast than places of the search have.
    @Test(arguments: [30, 36] as [Float]) func paleBarsOfAPictureAreRead(_ contrast: Float) throws {
        let stream = try PaintedStream(width: 320, height: 160) { ($0.scan, $0.effort) = (.frame, .thorough) }
        stream.background = { _, _ in 205 }
        var symbol = try PaintedSymbol("4006381333931", .ean13, x: 150, y: 80, width: 140)
        symbol.contrast = contrast
        var changes: [TrackChange] = []
        for _ in 0..<3 { changes += try stream.show([symbol], noise: 1, blur: 1) }
        #expect(Array(reads(changes).keys) == ["4006381333931"])
    }

    /// A code that comes to others would have to wait for the budget.
    @Test func barsWithinPrintWaitWhileAnotherCodeIsInView() throws {
        let symbol = try PaintedSymbol("4006381333931", .ean13, x: 150, y: 80, width: 140)
        let pixels = (0..<(320 * 160)).map { UInt8(30 + 190 * (symbol.paper($0 % 320, $0 / 320) ?? 1)) }
        let frame = FrameOfBytes(pixels, 320, 160).frame(1, seconds: 0)
        func read(besides symbols: [Box]) -> String? {
            var planner = ScanPlanner(.adaptive)
            planner.streamBegan(pixels: 320 * 160)
            var codes = UnreadCodes(formats: 0)
            codes.found([], bars: [symbol.corners.box])
            return codes.look(LumaView(frame, .full), at: 0, besides: symbols, &planner)?.raw
        }
        #expect(read(besides: []) == "4006381333931")
        #expect(read(besides: [Box(x: 0, y: 0, width: 20, height: 20)]) == nil)
    }

    @Test func twoCodesInOnePlaceGiveNoThirdValue() throws {
        let stream = try paper()
        var changes: [TrackChange] = []
        let values = ["4006381333931", "9780201379624"]
        for (value, frames) in zip(values, [3, 75]) {
            var symbol = try PaintedSymbol(value, .ean13, x: 160, y: 80, width: 125)
            (symbol.turn, symbol.contrast) = (-2, 150)
            for _ in 0..<frames {
                symbol.x += 0.1
                changes += try stream.show([symbol], noise: 6, blur: 1)
            }
        }
        #expect(Set(reads(changes).keys).isSubset(of: values))
    }

    @Test func aPlaceWithoutACodeHasNoValue() throws {
        let stream = try PaintedStream(width: 320, height: 160)
        var random = SeededRandom(seed: 3)
        var bars: [UInt8] = []
        while bars.count < 400 {
            bars += Array(repeating: bars.count % 2 == 0 ? 40 : 200, count: .random(in: 1...5, using: &random))
        }
        var changes: [TrackChange] = []
        for frame in 0..<90 {
            stream.background = { x, y in
                (60..<260).contains(x) && (40..<110).contains(y) ? bars[x + frame / 8] : 200
            }
            changes += try stream.show([], noise: 6, blur: 1)
        }
        #expect(reads(changes).isEmpty)
    }

    @Test func eachFrameForItselfGathersNothing() throws {
        let stream = try PaintedStream(width: 320, height: 160) { $0.scan = .frame }
        var symbol = try PaintedSymbol("4006381333931", .ean13, x: 160, y: 80, width: 125)
        symbol.contrast = 150
        for _ in 0..<20 {
            for change in try stream.show([symbol], noise: 10, blur: 1) {
                guard case .barcode(let barcode) = change.track.detection.content else { continue }
                #expect(barcode.evidenceFrames == nil)
            }
        }
    }
}
