// SPDX-License-Identifier: Apache-2.0
import Observations

/// The regions to cover in one detector's frames: a pure function of the detector's sightings and of the frames' time.
package struct CoverMemory: Sendable {
    /// More regions than this in one frame cover the whole frame.
    static let mostRegions = 256
    /// A sighting replaces an earlier one if they overlap by this much (intersection over union).
    static let sameOverlap: Float = 0.3

    private struct Sighting {
        var box: Box
        var time: Double
    }

    private let hold: Double
    private var recent: [Sighting] = []

    /// - Parameter hold: in seconds of the stream.
    package init(hold: Double) { self.hold = hold }

    /// - Parameters:
    ///   - seen: the boxes of this frame's detections.
    ///   - predicted: the predicted boxes of tracks that were not seen in this frame.
    /// - Returns: the boxes to cover, without margin, in pixels of the frame.
    package mutating func regions(seen: [Box], predicted: [Box], in frame: FrameInfo) -> [Box] {
        let now = frame.seconds
        // Half a microsecond, so that rounding does not decide on the last frame. A jump of time ends every hold.
        recent.removeAll { $0.time > now || now - $0.time > hold + 5e-7 }
        recent.removeAll { old in seen.contains { $0.intersectionOverUnion(old.box) >= Self.sameOverlap } }
        let held = recent.map(\.box)
        recent += seen.map { Sighting(box: $0, time: now) }
        guard recent.count + predicted.count <= Self.mostRegions else {
            recent.removeFirst(max(0, recent.count - Self.mostRegions))
            return [Box(x: 0, y: 0, width: Float(frame.width), height: Float(frame.height))]
        }
        return seen + predicted + held
    }
}
