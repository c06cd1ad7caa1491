import Observations
import Pipelines
import Settings
import Tracking

extension PipelineSettings {
    /// What stands behind each detector whose table is there and enabled, in the order in which a frame's events are written.
    package var lanePlans: [LanePlan] {
        let plans = [
            face.flatMap { $0.enabled ? $0.plan : nil }, barcode.flatMap { $0.enabled ? $0.plan : nil },
            object.flatMap { $0.enabled ? $0.plan : nil }, scene.flatMap { $0.enabled ? $0.plan : nil },
        ]
        let search = searchPlan
        return plans.compactMap { plan in
            guard var plan else { return nil }
            plan.zones = zones
            if plan.detector == search?.detector { plan.search = search?.plan }
            return plan
        }
    }
}

extension FaceSettings {
    package var plan: LanePlan {
        LanePlan(
            .face, common, TrackerConfiguration(tracking, default: .face, birth: Float(confidence)), tracking)
    }
}

extension BarcodeSettings {
    package var plan: LanePlan {
        let tracker = TrackerConfiguration(tracking, default: .barcode, payloads: PayloadRules(self))
        return LanePlan(.barcode, common, tracker, tracking)
    }
}

extension ObjectSettings {
    package var plan: LanePlan {
        // Without a focus of its own, the object that is the only one is the prominent one.
        var tracking = tracking
        if !multiple, tracking.focus == .none { tracking.focus = .prominent }
        return LanePlan(.object, common, TrackerConfiguration(self), tracking)
    }
}

extension SceneSettings {
    package var plan: LanePlan {
        LanePlan(.scene, common, TrackerConfiguration(self), tracking)
    }
}

extension LanePlan {
    /// A detector of the configuration is named like its kind.
    fileprivate init(
        _ kind: FeatureKind, _ common: DetectorSettings, _ tracker: TrackerConfiguration, _ tracking: TrackingSettings
    ) {
        self.init(
            detector: kind.rawValue, maximumRate: common.maxRate, tracking: tracker,
            focus: FocusPolicy(tracking.focus, value: tracking.focusValue))
    }
}
