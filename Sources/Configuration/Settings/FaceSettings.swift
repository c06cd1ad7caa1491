// SPDX-License-Identifier: Apache-2.0
import Observations

/// The `[face]` table.
package struct FaceSettings: DetectorTable, ComputingTable {
    package var enabled = true
    package var common = DetectorSettings()
    /// A catalogue name, `cascade`, or `auto` (the best installed).
    package var model = "auto"
    package var mode = DetectionMode.fast
    package var landmarks = true
    /// Smiling, eyes open.
    package var classification = false
    /// Head width as a proportion of the image width, 0...1.
    package var minSize = 0.1
    /// Whether pictures without a face are searched for smaller ones now and then.
    package var checkMinSize = true
    /// Only the largest, most central face.
    package var prominentOnly = false
    /// 0...1.
    package var confidence = 0.7
    package var device = "CPU"
    package var threads = 1
    package var tracking = TrackingSettings()

    /// The name of OpenCV's cascade, where models are named.
    package static let cascade = "cascade"

    package static let standard = Self()

    package var kind: FeatureKind { .face }
    package static let keys = rows(
        of: Self.init(
            enabled:common:model:mode:landmarks:classification:minSize:checkMinSize:prominentOnly:confidence:device:
            threads:tracking:),
        .enabled, .common(),
        .init("model", \.model, .nonEmptyText, .worker, "a model's name, `cascade`, or `auto`: the best installed"),
        .init("mode", \.mode, .choice(), .worker, "network pixels for the smallest wanted face: 32, or 64"),
        .init("landmarks", \.landmarks, .boolean, .worker, "whether eyes, nose and mouth are reported"),
        .init(
            "classification", \.classification, .boolean, .worker, "`smiling`, `left_eye_open`, `right_eye_open`"),
        .init(
            "min_size", \.minSize, .proportion, .worker,
            "least width of a head, of the picture's width; smaller costs more"),
        .init(
            "check_min_size", \.checkMinSize, .boolean, .detector,
            "search pictures without a face for smaller faces, in the end once a minute"),
        .init("prominent_only", \.prominentOnly, .boolean, .detector, "only the largest, most central face"),
        .init("confidence", \.confidence, .proportion, .detector, "faces with less are not reported"),
        .device, .threads,
        .tracking(
            focus: [.none, .largestFace, .central, .largest],
            enabled: .init(
                "tracking.enabled", \.tracking.enabled, .boolean, .live, "`false`: each sighting is a track of its own"),
            smoothedLandmarks: .init(
                "tracking.smoothed_landmarks", optional: \.tracking.smoothedLandmarks, .boolean, .live,
                "landmarks and angles are filtered over the frames of the track"),
            landmarkHold: .init(
                "tracking.landmark_hold", optional: \.tracking.landmarkHold, .duration(.zero, to: .seconds(60)), .live,
                "a hidden landmark is filled in for this time")))
}

package enum DetectionMode: String, Sendable, CaseIterable {
    case fast, accurate
}
