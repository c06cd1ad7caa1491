// SPDX-License-Identifier: Apache-2.0
/// The keys of every detector's table.
package struct DetectorSettings: Sendable, Equatable {
    package var roi = RegionOfInterest.full
    /// Runs per second; 0 = every frame it can.
    package var maxRate = 0.0
}

/// The part of the upright frame that a detector sees, as proportions of the frame's width and height. All values are
/// in 0...1, `width` and `height` are more than 0, and `x + width` and `y + height` are at most 1.
package struct RegionOfInterest: Sendable, Equatable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package static let full = RegionOfInterest(x: 0, y: 0, width: 1, height: 1)
}

/// A detector's `tracking` table. nil = what the preset says.
package struct TrackingSettings: Sendable, Equatable {
    /// nil = the detector's own.
    package var preset: TrackingPreset?
    /// Matched detections before `detected`. 1...100.
    package var hits: Int?
    /// A track unseen for longer is completed. More than zero.
    package var maxGap: Duration?
    /// If given, Mobile Vision's rule replaces the time rule: completed on the frame after so many without it.
    /// 0...100000.
    package var maxGapFrames: Int?
    /// 0...1 each; `low` <= `high` <= `birth` where two are given.
    package var low: Double?
    package var high: Double?
    package var birth: Double?
    package var certain: Double?
    /// Live tracks at most. 1...1024.
    package var capacity: Int?
    /// Whether tracks follow the displacement that they have in common.
    package var cameraShift: Bool?
    /// Whether events carry the motion filter's box beside the detection's.
    package var smoothedBox = false
    package var focus = FocusSetting.none
    /// Given with the focus `value` only.
    package var focusValue: String?
    /// How long a completed track is remembered; zero: not at all. At most ten minutes. Barcodes and scenes only.
    package var reentry: Duration?
    /// `false`: nothing is followed from one frame to the next. Faces only.
    package var enabled = true
    /// Whether landmarks and angles are the track's, not the frame's. Faces only; nil = what the tracker does.
    package var smoothedLandmarks: Bool?
    /// How long a landmark that is not seen is filled in; zero: not at all. Faces only; nil = what the tracker does.
    package var landmarkHold: Duration?
    /// Groups of two or more class names that may continue each other's tracks.
    package var confusable: [[String]] = []
}

package enum TrackingPreset: String, Sendable, CaseIterable {
    case face, barcode, object, erratic
}

/// The rule that chooses the single feature with a tracker. `none`: every feature has one.
package enum FocusSetting: String, Sendable, CaseIterable {
    case none
    case largestFace = "largest-face"
    case prominent, central, largest
    /// The one with the barcode text or label `focusValue`.
    case value
}
