// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import GlimpseTesting
import Observations
import Pipelines
import Settings
import Synchronization
import Testing
import Tracking
import VisionDetectors

/// The real reader under a focus. The reader seldom searches for other symbols, which saves work, and still loses no
/// symbol.
@Suite struct BarcodeFocusTests {
    /// A picture with two symbols: `wanted` at a place, the smaller `other` in the lower right corner.
    private func picture(_ number: Int, wanted: (x: Float, y: Float)?, isOtherThere: Bool = true) throws -> Frame {
        var painter = FramePainter(width: 960, height: 540, background: 200)
        try draw("wanted", at: wanted, module: 3, &painter)
        try draw("other", at: isOtherThere ? (800, 400) : nil, module: 2, &painter)
        return painter.frame(number, seconds: Double(number - 1) / 10)
    }

    private func draw(
        _ text: String, at place: (x: Float, y: Float)?, module size: Float, _ painter: inout FramePainter
    ) throws {
        guard let place else { return }
        let symbol = try SymbolWriter.draw(text, as: .qrCode, quietZone: 4)
        for (index, module) in symbol.modules.enumerated() {
            let (column, row) = (Float(index % symbol.columns), Float(index / symbol.columns))
            painter.fill(
                Box(x: place.x + size * column, y: place.y + size * row, width: size, height: size), module)
        }
    }

    /// The reads in each frame, and the life of the focused track.
    private func run(_ frames: [Frame], focus: FocusPolicy = .value("wanted")) -> (reads: [Int], calls: [String]) {
        let witness = Witness()
        let lane = LaneConfiguration(
            detector: BarcodeDetectorFactory(BarcodeSettings()), tracking: .barcode, focus: focus)
        let detectors = MultiDetector([lane], delivery: .every, delegate: witness)
        for frame in frames { detectors.receive(frame) }
        detectors.completeAll(.endOfStream)
        return witness.record.withLock { ($0.reads, $0.calls) }
    }

    @Test func otherBarcodesAreSearchedOnceASecondWhileTheFocusIsInView() throws {
        let frames = try (1...25).map {
            try picture($0, wanted: (100 + 8 * Float($0), 100), isOtherThere: $0 > 3)
        }
        let (reads, calls) = run(frames)
        #expect(reads == Array(repeating: 1, count: 10) + Array(repeating: 2, count: 15))
        #expect(calls == ["D1"] + Array(repeating: "U1", count: 25) + ["C1 end_of_stream"])
        // Without a focus the other symbol is found within 0.15 s.
        #expect(run(frames, focus: .none).reads[5...] == Array(repeating: 2, count: 20)[...])
    }

    /// The focused symbol jumps. The frame of the jump finds it, with and without the other symbol near its old place.
    @Test func aFocusedSymbolThatJumpsIsFollowed() throws {
        let alone = try (1...10).map {
            try picture($0, wanted: $0 <= 5 ? (100, 100) : (300, 100), isOtherThere: false)
        }
        #expect(run(alone).calls == ["D1"] + Array(repeating: "U1", count: 10) + ["C1 end_of_stream"])

        let beside = try (1...10).map { try picture($0, wanted: $0 <= 5 ? (720, 395) : (520, 395)) }
        #expect(run(beside).calls == ["D1"] + Array(repeating: "U1", count: 10) + ["C1 end_of_stream"])
    }

    @Test func aFocusedSymbolThatComesBackIsFound() throws {
        // The symbol is away for half a second, then in another place.
        let frames = try (1...20).map { number -> Frame in
            let place: (Float, Float)? = number <= 5 ? (100, 100) : number <= 10 ? nil : (500, 300)
            return try picture(number, wanted: place)
        }
        let (reads, calls) = run(frames)
        #expect(calls.filter { $0 == "M1" }.count == 5)
        #expect(calls.filter { $0 == "U1" }.count == 15)
        // While the symbol is missing, the reader searches the whole picture.
        #expect(reads[6..<10].allSatisfy { $0 == 1 })
        #expect(reads[10] == 2)
    }
}

private final class Witness: MultiDetectorDelegate {
    let record = Mutex<(reads: [Int], calls: [String])>(([], []))

    func tracker(for track: Track, from detector: String) -> (any FeatureTracker)? { Follower(self) }

    func finished(_ output: LaneOutput, of detector: String, stages: LaneStages) {
        if let results = output.results { record.withLock { $0.reads.append(results.detections.count) } }
    }
}

private final class Follower: FeatureTracker {
    private let witness: Witness

    init(_ witness: Witness) {
        self.witness = witness
    }

    func detected(_ track: Track, in results: DetectionResults) { note("D\(track.id)") }
    func update(_ track: Track, in results: DetectionResults) { note("U\(track.id)") }
    func missing(_ track: Track, in results: DetectionResults) { note("M\(track.id)") }

    func completed(_ track: Track, reason: CompletionReason, in results: DetectionResults) {
        note("C\(track.id) \(reason.rawValue)")
    }

    private func note(_ call: String) {
        witness.record.withLock { $0.calls.append(call) }
    }
}
