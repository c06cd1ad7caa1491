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
            lanes.append(LaneConfiguration(detector: ObjectDetectorFactory(object, models: models), plan: object.plan))
        }
        if let scene, scene.enabled {
            lanes.append(LaneConfiguration(detector: Self.unavailable(.scene), plan: scene.plan))
        }
        return lanes
    }

    private static func unavailable(_ kind: FeatureKind) -> UnavailableDetectorFactory {
        UnavailableDetectorFactory(
            name: kind.rawValue, kind: kind, reason: "this version of glimpsed has no \(kind.rawValue) detector")
    }
}
