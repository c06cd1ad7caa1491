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
                        "no face model is installed, so the cascade is used: it finds frontal faces only, and of the landmarks eyes"
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
        let classifier = classifier()
        let detector = try YuNetDetector(
            path: path, settings: settings, attributes: classifier.attributes, cacheFolder: models.cacheFolder)
        return LoadedDetector(detector, model: model, remark: classifier.remark)
    }

    private func cascade(remark: String?) throws(DetectorError) -> LoadedDetector {
        let classifier = classifier()
        let detector = try CascadeFaceDetector(settings: settings, attributes: classifier.attributes)
        let remarks = [remark, classifier.remark].compactMap(\.self)
        return LoadedDetector(
            detector, model: "cascade", remark: remarks.isEmpty ? nil : remarks.joined(separator: "; "))
    }

    /// Who tells smiles and open eyes, if anybody asked, and what is worth knowing of that. Faces are found without it.
    private func classifier() -> (attributes: (any FaceAttributes)?, remark: String?) {
        guard settings.classification else { return (nil, nil) }
        do {
            return (
                try CascadeFaceAttributes(),
                "smiles and open eyes come from OpenCV's cascades, which never say that an eye is closed"
            )
        } catch {
            return (nil, "nothing tells smiles and open eyes: \(error)")
        }
    }
}
