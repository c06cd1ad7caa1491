import Detectors
import Installation
import ModelCatalog
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
        if settings.model == "cascade" { return try cascade(remark: nil) }
        let model: ModelEntry
        let path: String
        do throws(ModelMissing) {
            model = try models.model(settings.model, kind: .face)
            path = try models.installedPath(of: model)
        } catch {
            guard settings.model == "auto" else { throw DetectorError(error.description) }
            return try cascade(
                remark: "\(error); until then the cascade finds frontal faces only, without landmarks")
        }
        return LoadedDetector(
            try YuNetDetector(path: path, settings: settings, cacheFolder: models.cacheFolder), model: model.name)
    }

    private func cascade(remark: String?) throws(DetectorError) -> LoadedDetector {
        LoadedDetector(try CascadeFaceDetector(settings: settings), model: "cascade", remark: remark)
    }
}
