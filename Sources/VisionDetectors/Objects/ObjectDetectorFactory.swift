import Detectors
import Observations
import Settings

/// Makes the object detector that the settings ask for, or the best that this machine has.
package struct ObjectDetectorFactory: DetectorFactory {
    package let name = "object"
    package let kind = FeatureKind.object
    private let settings: ObjectSettings
    private let models: ModelLibrary

    package init(_ settings: ObjectSettings, models: ModelLibrary) {
        self.settings = settings
        self.models = models
    }

    package func makeDetector() throws(DetectorError) -> LoadedDetector {
        switch settings.model {
        case ObjectSettings.motion: return try motion(remark: nil)
        case "auto": return try motionInPlaceOfAModel()
        default:
            throw DetectorError("object model \"\(settings.model)\" is not installed in \(folders)")
        }
    }

    private var folders: String { models.folders.joined(separator: ", ") }

    private func motionInPlaceOfAModel() throws(DetectorError) -> LoadedDetector {
        let missing = "no object model is installed"
        if settings.mode == .single {
            throw DetectorError("\(missing); without one only moving objects are found, and those not in single images")
        }
        if !settings.labels.isEmpty {
            throw DetectorError("\(missing); without one moving objects are found, but not those of labels")
        }
        let classes = settings.classify ? ", without classes" : ""
        return try motion(remark: "\(missing): moving objects only\(classes), for a camera that stands still")
    }

    private func motion(remark: String?) throws(DetectorError) -> LoadedDetector {
        LoadedDetector(try MotionDetector(settings: settings), model: ObjectSettings.motion, remark: remark)
    }
}
