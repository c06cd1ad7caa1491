// SPDX-License-Identifier: Apache-2.0
import Pipelines
import Settings

extension LaneConfiguration {
    /// Detects faces: boxes, landmarks, head pose.
    ///
    /// The name of the detector is `face`. YuNet finds faces of any direction. Without an installed model, OpenCV's
    /// cascade finds frontal faces. An option out of range makes the detector not operational.
    ///
    /// - Parameters:
    ///   - minSize: width of the smallest wanted head as a proportion of the picture's width, 0...1. A smaller value
    ///     costs more.
    ///   - isAccurate: gives each face twice as many network pixels.
    ///   - landmarks: eyes, nose and mouth.
    ///   - classification: `smiling`, `leftEyeOpen`, `rightEyeOpen`.
    ///   - prominentOnly: only the largest, most central face.
    ///   - confidence: faces with less are not reported, 0...1.
    ///   - region: the part of the picture that is searched, in 0...1.
    ///   - model: a model's name, `cascade`, or `auto`: the best installed.
    public static func face(
        minSize: Double = 0.1, isAccurate: Bool = false, landmarks: Bool = true, classification: Bool = false,
        prominentOnly: Bool = false, confidence: Double = 0.7, region: Box? = nil, model: String = "auto"
    ) -> LaneConfiguration {
        var settings = FaceSettings()
        settings.minSize = minSize
        settings.mode = isAccurate ? .accurate : .fast
        settings.landmarks = landmarks
        settings.classification = classification
        settings.prominentOnly = prominentOnly
        settings.confidence = confidence
        settings.common.roi = RegionOfInterest(region)
        settings.model = model
        return LaneConfiguration(stock: ConfiguredDetector(.face(settings)))
    }
}

extension RegionOfInterest {
    /// - Parameter box: nil selects the whole picture.
    init(_ box: Box?) {
        guard let box else {
            self = .full
            return
        }
        // The decimal digits make 0.2 and 0.8 add up to 1 exactly.
        func number(_ value: Float) -> Double { Double(value.description) ?? .nan }
        self.init(x: number(box.x), y: number(box.y), width: number(box.width), height: number(box.height))
    }
}
