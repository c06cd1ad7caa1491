// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Inference
import Installation
import ModelCatalog
import Observations
import Settings

/// Makes the classifier that `[scene]` asks for, or the best that is installed.
package struct SceneDetectorFactory: DetectorFactory {
    package let name: String
    package let kind = FeatureKind.scene
    private let settings: SceneSettings
    private let models: ModelLibrary

    package init(_ settings: SceneSettings, name: String = "scene", models: ModelLibrary) {
        self.settings = settings
        self.name = name
        self.models = models
    }

    package func makeDetector() throws(DetectorError) -> LoadedDetector {
        let (entry, path, labels) = try model()
        let options = InferenceOptions(
            path: path, input: entry.input, device: settings.device, threads: settings.threads,
            cacheFolder: models.cacheFolder)
        let detector = try SceneDetector(
            options, decoder: entry.decoder, labels: labels, settings: settings)
        return LoadedDetector(detector, model: entry.name, region: NormalizedRegion(settings.common.roi))
    }

    private func model() throws(DetectorError) -> (ModelEntry, path: String, labels: [String]) {
        do throws(ModelMissing) {
            let entry = try models.model(settings.model, kind: .classifier)
            return (entry, try models.installedPath(of: entry), try models.labels(of: entry))
        } catch {
            throw DetectorError(error.description)
        }
    }
}
