// SPDX-License-Identifier: Apache-2.0
import Detectors
import ExternalDetectors
import Installation
import LaneSettings
import PictureRelease
import Pipelines
import Settings
import VisionDetectors

extension PipelineSettings {
    /// The lanes of all running detectors, in the order in which a frame's events are written.
    ///
    /// - Parameter starters: of the detectors that are programs, by their names.
    package func lanes(
        models: ModelLibrary, starters: [String: any ProgramStarter] = [:]
    ) -> [LaneConfiguration] {
        let covered = CoverRules(self).detectors
        return zip(runningDetectors, lanePlans).map { detector, plan in
            let factory = detector.factory(
                plan, models: models, starter: starters[detector.name], isCovered: covered[detector.name] != nil)
            var lane = LaneConfiguration(detector: factory, plan: plan)
            if source.gate.enabled { lane.gate = GateConfiguration(refresh: source.gate.refresh / .seconds(1)) }
            return lane
        }
    }
}

extension ConfiguredDetector {
    /// Makes the detector of this table.
    ///
    /// - Parameters:
    ///   - starter: starts its program, if it is one.
    ///   - isCovered: whether pictures cover what it finds.
    package func factory(
        _ plan: LanePlan, models: ModelLibrary, starter: (any ProgramStarter)? = nil, isCovered: Bool = false
    ) -> any DetectorFactory {
        switch settings {
        case .face(let face): FaceDetectorFactory(face, name: name, models: models, isCovered: isCovered)
        case .barcode(let barcode): BarcodeDetectorFactory(barcode, name: name)
        case .object(let object): ObjectDetectorFactory(object, name: name, models: models, low: plan.tracking.low)
        case .scene(let scene): SceneDetectorFactory(scene, name: name, models: models)
        case .external(let program): ExternalDetectorFactory(program, name: name, starter: starter)
        }
    }
}
