import Detectors
import Installation
import LaneSettings
import Observations
import Pipelines
import Settings
import VisionDetectors

extension PipelineSettings {
    /// A lane for each detector whose table is there, in the order in which a frame's events are written.
    package func lanes(models: ModelLibrary) -> [LaneConfiguration] {
        lanePlans.compactMap { plan in
            detector(plan, models: models).map { LaneConfiguration(detector: $0, plan: plan) }
        }
    }

    private func detector(_ plan: LanePlan, models: ModelLibrary) -> (any DetectorFactory)? {
        switch FeatureKind(rawValue: plan.detector) {
        case .face: face.map { FaceDetectorFactory($0, models: models) }
        case .barcode: barcode.map { BarcodeDetectorFactory($0) }
        case .object: object.map { ObjectDetectorFactory($0, models: models, low: plan.tracking.low) }
        case .scene: scene.map { SceneDetectorFactory($0, models: models) }
        case nil: nil
        }
    }
}
