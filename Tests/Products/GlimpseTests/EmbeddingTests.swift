// SPDX-License-Identifier: Apache-2.0
import Glimpse
import GlimpseTesting
import Synchronization
import Testing

/// Uses the library like a program outside this package, with its own detector and trackers.
@Suite struct EmbeddingTests {
    /// Sees one object that walks to the right.
    private final class Walker: Detector {
        func detect(in frame: Frame) throws(DetectorError) -> [Detection] {
            let box = Box(x: Float(frame.info.sequence) * 4, y: 20, width: 30, height: 30)
            let labels = ObjectLabels(labels: [Label(text: "walker", index: 0, confidence: 0.95)])
            return [Detection(box: box, confidence: 0.95, content: .object(labels))]
        }
    }

    private struct WalkerFactory: DetectorFactory {
        let name = "walker"
        let kind = FeatureKind.object

        func makeDetector() throws(DetectorError) -> LoadedDetector { LoadedDetector(Walker()) }
    }

    /// Records the life of its track.
    private final class Diary: FeatureTracker, Sendable {
        let entries = Mutex<[String]>([])

        func detected(_ track: Track, in results: DetectionResults) { note("detected \(track.id)") }
        func update(_ track: Track, in results: DetectionResults) { note("update \(track.hits)") }

        func completed(_ track: Track, reason: CompletionReason, in results: DetectionResults) {
            note("completed \(reason.rawValue) at \(Int(track.box.x))")
        }

        private func note(_ entry: String) { entries.withLock { $0.append(entry) } }
    }

    private final class Diaries: MultiDetectorDelegate {
        let diary = Diary()

        func tracker(for track: Track, from detector: String) -> (any FeatureTracker)? { diary }
    }

    @Test func theLibraryRunsADetectorAndATrackerOfTheApplication() {
        let diaries = Diaries()
        let detectors = MultiDetector(
            [LaneConfiguration(detector: WalkerFactory(), tracking: .object)], delivery: .every, delegate: diaries)
        let painter = FramePainter()
        for number in 1...3 { detectors.receive(painter.frame(number, seconds: Double(number) / 10)) }
        detectors.completeAll(.endOfStream)
        #expect(
            diaries.diary.entries.withLock(\.self) == [
                "detected 1", "update 1", "update 2", "update 3", "completed end_of_stream at 12",
            ])
    }
}
