// SPDX-License-Identifier: Apache-2.0
import Observations

extension Tracker {
    /// The last detection of every live track, those that nobody hears of included. A track that was not seen in the
    /// last frame has a predicted box.
    package var sightings: [(detection: Detection, predicted: Box?)] {
        features.map { ($0.detection, $0.missingFrames > 0 ? $0.filter.box : nil) }
    }
}
