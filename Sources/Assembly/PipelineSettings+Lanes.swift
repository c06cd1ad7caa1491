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
}
