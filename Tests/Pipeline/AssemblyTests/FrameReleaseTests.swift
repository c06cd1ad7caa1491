// SPDX-License-Identifier: Apache-2.0
import Detectors
import EventLines
import Frames
import GlimpseTesting
import Installation
import Observations
import Pipelines
import Settings
import Synchronization
import Testing
import Tracking

@testable import Assembly

/// Frames are released when the lanes are done with them, whatever a detector does.
@Suite struct FrameReleaseTests {
    @Test(arguments: [false, true])
    func everyFrameIsReleased(throwing: Bool) throws {
        let ledger = FrameLedger()
        let factory = RecordingDetectorFactory(ledger: ledger, throwing: throwing)
        let emitter = EventEmitter(
            pipeline: PipelineIdentity(name: "p", tags: [:]), detectors: ["recording"], delivery: .every,
            now: { .epoch }, sink: NoSink())
        let detectors = MultiDetector([LaneConfiguration(detector: factory, tracking: .face)], events: emitter)
        let settings = SourceSettings(kind: .test(pattern: "ball", frames: 60), width: 641, height: 481)
        let source = try settings.makeSource(
            resources: ResourceFolders(executable: "/nowhere", environment: { _ in nil }))
        var seen = 0
        let outcome = PipelineRunner(stallLimit: .seconds(10)).run(source, detectors: detectors, events: emitter) { _ in
            seen += 1
            // The runner holds the current frame. The lane may hold the frame before it for a moment longer.
            #expect(ledger.alive <= 2)
        }
        #expect(outcome == .ended && seen == 60)
        #expect(ledger.count > 0 && ledger.alive == 0)
    }
}

/// Holds weak references to every frame that a detector received.
private final class FrameLedger: Sendable {
    private struct Entry: Sendable { weak var frame: Frame? }
    private let entries = Mutex<[Entry]>([])

    func enter(_ frame: Frame) { entries.withLock { $0.append(Entry(frame: frame)) } }
    var count: Int { entries.withLock { $0.count } }
    var alive: Int { entries.withLock { $0.count { $0.frame != nil } } }
}

private struct RecordingDetectorFactory: DetectorFactory {
    let ledger: FrameLedger
    let throwing: Bool
    let name = "recording"
    let kind = FeatureKind.face

    func makeDetector() throws(DetectorError) -> LoadedDetector { LoadedDetector(RecordingDetector(ledger, throwing)) }
}

private final class RecordingDetector: Detector {
    private let ledger: FrameLedger
    private let throwing: Bool

    init(_ ledger: FrameLedger, _ throwing: Bool) {
        self.ledger = ledger
        self.throwing = throwing
    }

    func detect(in frame: Frame) throws(DetectorError) -> [Detection] {
        ledger.enter(frame)
        if throwing { throw DetectorError("always") }
        return []
    }
}

private struct NoSink: EventSink {
    func write(_ events: [EncodedEvent]) {}
}
