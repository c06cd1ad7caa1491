// SPDX-License-Identifier: Apache-2.0
import Detectors
import Dispatch
import Frames
import GlimpseTesting
import Observations
import Pipelines
import Synchronization
import Tracking

/// A gate that opens once for all waiting threads.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    /// Returns whether the gate was open within a time that only a hang exceeds.
    @discardableResult
    func wait() -> Bool {
        guard semaphore.isSignalledInTime() else { return false }
        semaphore.signal()
        return true
    }
}

/// Records the calls of a `MultiDetector`.
final class RecordingDelegate: MultiDetectorDelegate {
    struct Record {
        var statuses: [DetectorStatus] = []
        var failures: [DetectorFailure] = []
        var finished: [String: [UInt64]] = [:]
        var calls: [String] = []
    }

    private let state = Mutex(Record())
    private let onFinished: @Sendable (String) -> Void

    init(onFinished: @escaping @Sendable (String) -> Void = { _ in }) {
        self.onFinished = onFinished
    }

    var record: Record { state.withLock(\.self) }

    func note(_ call: String) { state.withLock { $0.calls.append(call) } }

    func tracker(for track: Track, from detector: String) -> (any FeatureTracker)? { NotingTracker(self, detector) }

    func finished(_ output: LaneOutput, of detector: String, stages: LaneStages) {
        state.withLock { record in
            for report in output.reports {
                switch report {
                case .status(let status): record.statuses.append(status)
                case .failure(let failure): record.failures.append(failure)
                default: break
                }
            }
            if let results = output.results { record.finished[detector, default: []].append(results.frame.sequence) }
        }
        if output.results != nil { onFinished(detector) }
    }
}

private final class NotingTracker: FeatureTracker {
    private let delegate: RecordingDelegate
    private let detector: String

    init(_ delegate: RecordingDelegate, _ detector: String) {
        self.delegate = delegate
        self.detector = detector
    }

    func detected(_ track: Track, in results: DetectionResults) { delegate.note("\(detector) D\(track.id)") }
    func missing(_ track: Track, in results: DetectionResults) { delegate.note("\(detector) M\(track.id)") }

    func completed(_ track: Track, reason: CompletionReason, in results: DetectionResults) {
        delegate.note("\(detector) C\(track.id) \(reason.rawValue)")
    }
}

extension Detection {
    static let face = Detection(
        box: Box(x: 10, y: 10, width: 20, height: 20), confidence: 0.95, content: .face(Face()))
}

extension LaneConfiguration {
    init(_ detector: ScriptedDetectorFactory, maximumRate: Double = 0, focus: FocusPolicy = .none) {
        self.init(detector: detector, maximumRate: maximumRate, tracking: .face, focus: focus)
    }
}
