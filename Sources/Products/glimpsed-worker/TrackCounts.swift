// SPDX-License-Identifier: Apache-2.0
import EventLines
import Observations
import Pipelines
import Settings
import Synchronization

/// Counts the tracks of each detector, and hands the events on. Any thread.
final class TrackCounts: EventSink {
    private let counts = Mutex<[String: Int]>([:])
    private let next: (any EventSink)?

    /// - Parameter next: takes the events; without it nobody does.
    init(next: (any EventSink)? = nil) {
        self.next = next
    }

    func write(_ events: [EncodedEvent]) {
        counts.withLock { counts in
            for event in events where event.kind == .detected { counts[event.detector, default: 0] += 1 }
        }
        next?.write(events)
    }

    func count(of detector: String) -> Int { counts.withLock { $0[detector] ?? 0 } }

    /// One line about a lane: `face: 0 tracks in 1175 frames; no smaller face either`.
    func summary(of lane: LaneMetrics, in settings: PipelineSettings) -> String {
        let tracks = count(of: lane.detector)
        let text = "\(lane.detector): \(tracks) tracks in \(lane[.processed]) frames"
        if let small = lane.smallFaces { return "\(text); \(small)" }
        let table = settings.detectors.first { $0.name == lane.detector }?.table
        guard tracks == 0, lane[.processed] > 0, let face = table as? FaceSettings, face.checkMinSize,
            face.model != FaceSettings.cascade
        else { return text }
        return "\(text); no smaller face either"
    }
}
