import Observations
import Tracking

/// The ids under which each frame's detections were reported, in the order of the detections; nil for those that were
/// not.
func trackedIDs(
    _ frames: [[Detection]], _ configuration: TrackerConfiguration, framesPerSecond: Double = 10
) -> [[UInt64?]] {
    var tracker = Tracker(configuration)
    return frames.enumerated().map { number, detections in
        let changes = tracker.process(detections, frame: .at(Double(number) / framesPerSecond, number: number))
        let present = changes.filter { $0.phase == .update }
        return detections.map { detection in present.first { $0.track.box == detection.box }?.track.id.number }
    }
}
