// SPDX-License-Identifier: Apache-2.0
import Observations

/// The `[scene]` table: labels of the whole picture.
package struct SceneSettings: DetectorTable, ComputingTable {
    package var enabled = true
    /// Two runs per second unless told otherwise.
    package var common = DetectorSettings(maxRate: 2)
    /// A catalogue name or `auto` (the best installed).
    package var model = "auto"
    /// How many labels, best first. 1...1000.
    package var top = 3
    /// From where on a label is there. 0...1.
    package var confidence = 0.9
    /// A label leaves below this part of `confidence`. 0.01...1.
    package var hysteresis = 0.5
    /// Time constant of the smoothing of probabilities; zero = none.
    package var smoothing = Duration.seconds(1)
    package var device = "CPU"
    package var threads = 1
    package var tracking = TrackingSettings()

    package static let standard = Self()

    package var kind: FeatureKind { .scene }
    package static let keys = rows(
        of: Self.init(enabled:common:model:top:confidence:hysteresis:smoothing:device:threads:tracking:),
        // How long a step may be before all begins anew follows from the rate.
        .enabled, .common(maxRate: .detector),
        .init("model", \.model, .nonEmptyText, .worker, "a classifier's name, or `auto`: the best installed"),
        .init("top", \.top, .integer(1...1000), .detector, "labels at a time, best first"),
        .init("confidence", \.confidence, .proportion, .detector, "a label enters at this smoothed probability"),
        .init(
            "hysteresis", \.hysteresis, .number(0.01...1), .detector,
            "a label leaves below `confidence` times this; 1: it enters and leaves at one threshold"),
        .init(
            "smoothing", \.smoothing, .duration(.zero, to: .seconds(3600)), .detector,
            "time constant of the probabilities; `\"0s\"`: no smoothing"),
        .device, .threads,
        .tracking(focus: [.none, .value], reentry: .reentry))

    /// Below which a label leaves.
    package var leavingConfidence: Double { confidence * hysteresis }

    /// Seconds between two runs after which everything begins anew: more than a slow `max_rate` makes by itself.
    package var longestStep: Double { common.maxRate > 0 ? max(5, 2.5 / common.maxRate) : 5 }
}
