// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Inference
import Installation
import ModelCatalog
import Observations
import Settings

/// Makes the face detector that the settings ask for, or the best that this machine has.
package struct FaceDetectorFactory: DetectorFactory {
    package let name: String
    package let kind = FeatureKind.face
    private let settings: FaceSettings
    private let models: ModelLibrary
    private let isCovered: Bool

    /// - Parameter isCovered: whether pictures cover the faces. The detector then gives weak ones too, as `unreported`.
    package init(_ settings: FaceSettings, name: String = "face", models: ModelLibrary, isCovered: Bool = false) {
        self.isCovered = isCovered
        self.settings = settings
        self.name = name
        self.models = models
    }

    package func makeDetector() throws(DetectorError) -> LoadedDetector {
        if settings.model == FaceSettings.cascade { return try cascade(remark: nil) }
        let model: ModelEntry
        do throws(ModelMissing) {
            model = try models.model(settings.model, kind: .face)
        } catch {
            guard settings.model == "auto" else { throw DetectorError(error.description) }
            return try cascade(
                remark:
                    "\(error); until then the cascade finds only frontal faces, and of their landmarks only the eyes")
        }
        return try yunet(model)
    }

    private func yunet(_ model: ModelEntry) throws(DetectorError) -> LoadedDetector {
        guard let path = models.path(of: model.network) else {
            throw DetectorError("the file of \"\(model.name)\" was removed")
        }
        let classifier = classifier()
        let detector = try YuNetDetector(
            path: path, settings: settings, attributes: classifier.attributes, cacheFolder: models.cacheFolder,
            isCovered: isCovered)
        return LoadedDetector(
            detector, model: model.name, remark: classifier.remark, region: NormalizedRegion(settings.common.roi))
    }

    private func cascade(remark: String?) throws(DetectorError) -> LoadedDetector {
        let classifier = classifier()
        let detector = try CascadeFaceDetector(settings: settings, attributes: classifier.attributes)
        let remarks = [remark, classifier.remark].compactMap(\.self)
        return LoadedDetector(
            detector, model: FaceSettings.cascade, remark: remarks.isEmpty ? nil : remarks.joined(separator: "; "),
            region: NormalizedRegion(settings.common.roi))
    }

    // MARK: Classification

    /// The classifier of smiles and open eyes, if the settings ask for one, and a remark about it. Faces are found
    /// without it.
    private func classifier() -> (attributes: (any FaceAttributes)?, remark: String?) {
        guard settings.classification else { return (nil, nil) }
        do throws(DetectorError) {
            if let model = models.installed(.faceAttribute).first { return (try network(model), nil) }
            return (
                try CascadeFaceAttributes(),
                "smiles and open eyes come from OpenCV's cascades, which never say that an eye is closed"
            )
        } catch {
            return (nil, "smiles and open eyes are unavailable: \(error)")
        }
    }

    private func network(_ model: ModelEntry) throws(DetectorError) -> NetworkFaceAttributes {
        guard let path = models.path(of: model.network) else {
            throw DetectorError("the file of \"\(model.name)\" was removed")
        }
        let labels: [String]
        do throws(ModelMissing) {
            labels = try models.labels(of: model)
        } catch {
            throw DetectorError(error.description)
        }
        do throws(DetectorError) {
            return try NetworkFaceAttributes(
                InferenceOptions(
                    path: path, input: model.input, device: settings.device, threads: settings.threads,
                    cacheFolder: models.cacheFolder), decoder: model.decoder, labels: labels)
        } catch {
            throw DetectorError("\(model.name): \(error)")
        }
    }
}
