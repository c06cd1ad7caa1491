// SPDX-License-Identifier: Apache-2.0
import Observations

/// The stored data that `glimpsed forget` removes. All conditions must hold. A condition that is nil holds for all
/// data.
package struct ForgetSelection: Sendable, Equatable {
    package var pipeline: String?
    /// Selects the data recorded before this time, by the daemon's clock.
    package var before: Timestamp?
    package var detector: String?
    package var track: UInt64?

    /// Selects all data.
    package init(
        pipeline: String? = nil, before: Timestamp? = nil, detector: String? = nil, track: UInt64? = nil
    ) {
        (self.pipeline, self.before, self.detector, self.track) = (pipeline, before, detector, track)
    }

    /// Whether the selection needs to know nothing but the time of recording.
    package var isOnlyByTime: Bool { pipeline == nil && detector == nil && track == nil }

    /// Whether data of a pipeline are selected. The time is not judged.
    ///
    /// - Parameters:
    ///   - pipeline: nil for data of no pipeline.
    ///   - detector: empty for data of no detector.
    package func takes(pipeline: String?, detector: String, track: UInt64) -> Bool {
        if let wanted = self.pipeline, wanted != pipeline { return false }
        if let wanted = self.detector, wanted != detector { return false }
        if let wanted = self.track, wanted != track { return false }
        return true
    }

    /// Whether the time of recording is selected.
    package func takes(recorded time: Timestamp) -> Bool { before.map { time < $0 } ?? true }
}

/// The numbers of removed data by kind.
package struct ForgottenCounts: Sendable, Equatable {
    package var events: UInt64 = 0
    package var history = 0
    package var pictures = 0
    package var clips = 0
    package var crashFrames = 0
    package var tapes = 0
    package var databases = 0
    /// The number of tapes and moved-aside databases that a narrowed selection leaves, because no part can be removed.
    package var kept = 0

    package init() {}

    /// The counts with their names in JSON, in a fixed order.
    package var members: [(name: String, count: Int)] {
        [
            ("events", Int(clamping: events)), ("history", history), ("pictures", pictures), ("clips", clips),
            ("crash_frames", crashFrames), ("tapes", tapes), ("databases", databases), ("kept", kept),
        ]
    }
}

extension ForgottenCounts {
    /// The counts for people: `removed 120 events, 3 pictures`.
    package var text: String {
        let names = [
            ("event", "events"), ("history entry", "history entries"), ("picture", "pictures"), ("clip", "clips"),
            ("crash recording", "crash recordings"), ("tape", "tapes"), ("old database", "old databases"),
        ]
        let parts = zip(names, members).filter { $1.count > 0 }.map { "\($1.count) \($1.count == 1 ? $0.0 : $0.1)" }
        return "removed " + (parts.isEmpty ? "nothing" : parts.joined(separator: ", "))
    }
}
