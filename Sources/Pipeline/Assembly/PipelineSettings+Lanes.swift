import Detectors
import Installation
import LaneSettings
import Pipelines
import Settings
import VisionDetectors

extension PipelineSettings {
    /// The lanes of all running detectors, in the order in which a frame's events are written.
    package func lanes(models: ModelLibrary) -> [LaneConfiguration] {
        zip(runningDetectors, lanePlans).map { detector, plan in
            var lane = LaneConfiguration(detector: detector.factory(plan, models: models), plan: plan)
            if source.gate.enabled { lane.gate = GateConfiguration(refresh: source.gate.refresh / .seconds(1)) }
            return lane
        }
    }
}

extension ConfiguredDetector {
    /// Makes the detector of this table.
    package func factory(_ plan: LanePlan, models: ModelLibrary) -> any DetectorFactory {
        switch settings {
        case .face(let face): FaceDetectorFactory(face, name: name, models: models)
        case .barcode(let barcode): BarcodeDetectorFactory(barcode, name: name)
        case .object(let object): ObjectDetectorFactory(object, name: name, models: models, low: plan.tracking.low)
        case .scene(let scene): SceneDetectorFactory(scene, name: name, models: models)
        }
    }
}
