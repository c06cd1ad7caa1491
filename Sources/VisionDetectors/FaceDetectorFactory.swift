import Detectors
import Observations
import Settings

/// Makes the face detector that the settings ask for, or the best that this machine has.
package struct FaceDetectorFactory: DetectorFactory {
    package let name = "face"
    package let kind = FeatureKind.face
    private let settings: FaceSettings
    private let models: ModelLibrary

    package init(_ settings: FaceSettings, models: ModelLibrary) {
        self.settings = settings
        self.models = models
    }

    package func makeDetector() throws(DetectorError) -> LoadedDetector {
        switch settings.model {
        case "cascade": return try cascade(remark: nil)
        case "auto":
            guard let best = models.faceModels.first else {
                return try cascade(
                    remark:
                        "no face model is installed, so the cascade is used: it finds frontal faces only, without landmarks"
                )
            }
            return try yunet(best)
        default: return try yunet(settings.model)
        }
    }

    private func yunet(_ model: String) throws(DetectorError) -> LoadedDetector {
        guard let path = models.path(of: model) else {
            throw DetectorError(
                "face model \"\(model)\" is not installed in \(models.folders.joined(separator: ", ")); "
                    + "use model = \"auto\" or \"cascade\", or put \(model).onnx there")
        }
        return LoadedDetector(
            try YuNetDetector(path: path, settings: settings, cacheFolder: models.cacheFolder), model: model)
    }

    private func cascade(remark: String?) throws(DetectorError) -> LoadedDetector {
        LoadedDetector(try CascadeFaceDetector(settings: settings), model: "cascade", remark: remark)
    }
}
