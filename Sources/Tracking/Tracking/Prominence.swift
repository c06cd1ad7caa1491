// SPDX-License-Identifier: Apache-2.0
import Observations

/// Chooses the prominent feature.
enum Prominence {
    /// How many times as prominent as the marked feature another one must be to take over the mark. So the mark does
    /// not pass to and fro between two things of one size.
    static let takeOver: Float = 1.5
}

extension Tracker {
    /// Marks the most prominent of the confirmed features (`Box.prominence`). One that is missing keeps the mark, as it
    /// was last seen.
    mutating func markProminent(in frame: FrameInfo) {
        guard configuration.marksProminent || focus.policy == .prominent else { return }
        let (width, height) = (Float(frame.width), Float(frame.height))
        var (marked, best): (Int?, Int?)
        var (known, greatest): (Float, Float) = (0, 0)
        for index in features.indices where features[index].isConfirmed && features[index].ending == nil {
            let prominence = features[index].detection.box.prominence(width: width, height: height)
            if features[index].isProminent { (marked, known) = (index, prominence) }
            if features[index].missingFrames == 0, prominence > greatest { (best, greatest) = (index, prominence) }
        }
        if marked == nil || greatest >= Prominence.takeOver * known { marked = best ?? marked }
        for index in features.indices { features[index].isProminent = index == marked }
    }

    /// Lets no more tracks begin than `reportLimit` leaves room for: the most prominent ones do.
    mutating func holdToReportLimit(in frame: FrameInfo) {
        guard let limit = configuration.reportLimit else { return }
        let (width, height) = (Float(frame.width), Float(frame.height))
        var reported = features.count { $0.isNew || ($0.id != nil && $0.ending == nil) }
        while reported > limit {
            var (last, least): (Int?, Float) = (nil, .infinity)
            for index in features.indices where features[index].isNew {
                let prominence = features[index].detection.box.prominence(width: width, height: height)
                // Among two equals, the younger one waits.
                if prominence <= least { (last, least) = (index, prominence) }
            }
            guard let last else { return }
            features[last].isNew = false
            reported -= 1
        }
    }
}
