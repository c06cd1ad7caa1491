import Installation
import LaneSettings
import Observations
import Pipelines
import Settings
import VisionDetectors

extension PipelineSettings {
    /// A lane for each detector whose table is there, in the order in which a frame's events are written.
    package func lanes(models: ModelLibrary) -> [LaneConfiguration] {
        var lanes: [LaneConfiguration] = []
        if let face, face.enabled {
            lanes.append(LaneConfiguration(detector: FaceDetectorFactory(face, models: models), plan: face.plan))
        }
        if let barcode, barcode.enabled {
            lanes.append(LaneConfiguration(detector: BarcodeDetectorFactory(barcode), plan: barcode.plan))
        }
        if let object, object.enabled {
            let plan = object.plan
            lanes.append(
                LaneConfiguration(
                    detector: ObjectDetectorFactory(object, models: models, low: plan.tracking.low), plan: plan))
        }
        if let scene, scene.enabled {
            lanes.append(LaneConfiguration(detector: SceneDetectorFactory(scene, models: models), plan: scene.plan))
        }
        guard let (detector, plan) = searchPlan, let index = lanes.firstIndex(where: { $0.detector.name == detector })
        else { return lanes }
        lanes[index].search = plan
        return lanes
    }

    /// The detectors that have to be made anew to go on with `new`: those that differ in more than what their lanes do with them.
    func detectorsReplaced(by new: PipelineSettings) -> Set<String> {
        func key(_ settings: PipelineSettings) -> PipelineSettings {
            var key = settings
            key.face?.common.maxRate = 0
            key.barcode?.common.maxRate = 0
            key.object?.common.maxRate = 0
            key.scene?.common.maxRate = 0
            key.face?.tracking = TrackingSettings()
            key.barcode?.tracking = TrackingSettings()
            key.object?.tracking = TrackingSettings()
            key.scene?.tracking = TrackingSettings()
            return key
        }
        let (old, new) = (key(self), key(new))
        var names: Set<String> = []
        if old.face != new.face { names.insert("face") }
        if old.barcode != new.barcode { names.insert("barcode") }
        if old.object != new.object { names.insert("object") }
        if old.scene != new.scene { names.insert("scene") }
        return names
    }
}
