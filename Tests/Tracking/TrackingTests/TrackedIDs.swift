// SPDX-License-Identifier: Apache-2.0
import Observations
import Tracking

/// The ids of each frame's detections, in the order of the detections. nil for a detection that was not reported.
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
