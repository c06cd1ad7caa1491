// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Installation
import ModelCatalog
import Observations
import Settings

/// Makes the object detector that the settings ask for, or the best that this machine has.
package struct ObjectDetectorFactory: DetectorFactory {
    package let name: String
    package let kind = FeatureKind.object
    private let settings: ObjectSettings
    private let models: ModelLibrary
    private let low: Float

    /// - Parameter low: the tracker's: the score from which on a detection is looked at.
    package init(_ settings: ObjectSettings, name: String = "object", models: ModelLibrary, low: Float) {
        self.settings = settings
        self.name = name
        self.models = models
        self.low = low
    }

    package func makeDetector() throws(DetectorError) -> LoadedDetector {
        if settings.model == ObjectSettings.motion {
            guard settings.mode == .stream else {
                throw DetectorError("single images need an object model: motion is visible only between frames")
            }
            return try motion(remark: nil)
        }
        let model: ModelEntry
        do throws(ModelMissing) {
            model = try models.model(settings.model, kind: .object)
        } catch {
            guard settings.model == "auto" else { throw DetectorError(error.description) }
            return try motion(insteadOf: error)
        }
        return try network(model)
    }

    private func network(_ model: ModelEntry) throws(DetectorError) -> LoadedDetector {
        guard let path = models.path(of: model.network) else {
            throw DetectorError("the file of \"\(model.name)\" was removed")
        }
        let labels: [String]
        do throws(ModelMissing) {
            labels = try models.labels(of: model)
        } catch {
            throw DetectorError(error.description)
        }
        let detector = try ObjectDetector(
            model, path: path, labels: labels, settings: settings, low: low, cacheFolder: models.cacheFolder)
        return LoadedDetector(
            detector, model: model.name, region: NormalizedRegion(settings.common.roi), labels: labels)
    }

    private func motion(insteadOf missing: ModelMissing) throws(DetectorError) -> LoadedDetector {
        if settings.mode == .single {
            throw DetectorError(
                "\(missing). Without a model Glimpse finds only moving objects, which single images do not show")
        }
        if !settings.labels.isEmpty {
            throw DetectorError("\(missing). Without a model Glimpse finds only moving objects, which have no labels")
        }
        if settings.any {
            throw DetectorError(
                "\(missing). Without a model Glimpse finds only moving objects, and object.any needs a model")
        }
        let classes = settings.classify ? ", without classes" : ""
        return try motion(
            remark: "\(missing). Moving objects only\(classes), for a camera that stands still")
    }

    private func motion(remark: String?) throws(DetectorError) -> LoadedDetector {
        var loaded = LoadedDetector(
            try MotionDetector(settings: settings), model: ObjectSettings.motion, remark: remark, labels: [])
        loaded.learnsFromEveryFrame = true
        return loaded
    }
}
