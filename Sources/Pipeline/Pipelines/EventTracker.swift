import Events
import Observations
import Tracking

/// Follows one track for the event stream.
final class EventTracker: FeatureTracker {
    private let events: LaneEvents

    init(_ events: LaneEvents) {
        self.events = events
    }

    func detected(_ track: Track, in results: DetectionResults) { emit(.detected, track, results) }
    func update(_ track: Track, in results: DetectionResults) { emit(.update, track, results) }
    func missing(_ track: Track, in results: DetectionResults) { emit(.missing, track, results) }

    func completed(_ track: Track, reason: CompletionReason, in results: DetectionResults) {
        emit(.completed(reason), track, results)
    }

    private func emit(_ phase: TrackPhase, _ track: Track, _ results: DetectionResults) {
        let best = phase == .update || phase == .missing ? nil : events.best(of: track.id, after: phase)
        events.append(
            TrackEvent(
                phase: phase, detector: results.detector, frame: results.frame, track: track,
                count: results.detections.count, best: best))
    }
}
