// SPDX-License-Identifier: Apache-2.0
import Pipelines
import Settings

extension LaneConfiguration {
    /// Labels the whole picture.
    ///
    /// The name of the detector is `scene`. It needs an installed classifier and runs twice a second. An option out of
    /// range makes the detector not operational.
    ///
    /// - Parameters:
    ///   - top: number of labels at a time, best first, 1...1000.
    ///   - confidence: a label begins at this smoothed probability, 0...1, and ends below half of it.
    ///   - smoothing: time constant of the probabilities, at most an hour. Zero switches the smoothing off.
    ///   - model: a classifier's name, or `auto`: the best installed.
    public static func scene(
        top: Int = 3, confidence: Double = 0.9, smoothing: Duration = .seconds(1), model: String = "auto"
    ) -> LaneConfiguration {
        var settings = SceneSettings()
        settings.top = top
        settings.confidence = confidence
        settings.smoothing = smoothing
        settings.model = model
        return LaneConfiguration(stock: ConfiguredDetector(.scene(settings)))
    }
}
