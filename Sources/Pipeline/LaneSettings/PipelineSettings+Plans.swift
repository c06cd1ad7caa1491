// SPDX-License-Identifier: Apache-2.0
import Frames
import Pipelines
import Settings
import Tracking

extension PipelineSettings {
    /// The plans behind the running detectors, in the order in which a frame's events are written.
    package var lanePlans: [LanePlan] {
        let search = searchPlan
        return runningDetectors.map { detector in
            var plan = detector.plan
            plan.zones = zones
            plan.lines = lines
            if plan.detector == search?.detector { plan.search = search?.plan }
            return plan
        }
    }
}

extension PipelineSettings {
    /// When the source idles; nil if it never does.
    package var idling: IdleConfiguration? {
        source.idles.map { idling in
            IdleConfiguration(
                after: idling.after / .seconds(1),
                regions: runningDetectors.map { $0.table.common.roi }.reduce(into: []) { regions, roi in
                    let region = NormalizedRegion(x: roi.x, y: roi.y, width: roi.width, height: roi.height)
                    if !regions.contains(region) { regions.append(region) }
                })
        }
    }
}

extension ConfiguredDetector {
    /// The lane's plan for this detector, without the pipeline's zones, lines and search.
    package var plan: LanePlan {
        let (common, tracking) = (table.common, table.tracking)
        var focus = tracking.focus
        let tracker: TrackerConfiguration
        switch settings {
        case .face(let face):
            tracker = TrackerConfiguration(tracking, default: .face, birth: Float(face.confidence))
        case .barcode(let barcode):
            tracker = TrackerConfiguration(tracking, default: .barcode, payloads: PayloadRules(barcode))
        case .object(let object):
            tracker = TrackerConfiguration(object)
            // Without a configured focus, `multiple = false` reports the prominent object.
            if !object.multiple, focus == .none { focus = .prominent }
        case .scene(let scene): tracker = TrackerConfiguration(scene)
        case .external: tracker = TrackerConfiguration(ofProgram: tracking)
        }
        return LanePlan(
            detector: name, maximumRate: common.maxRate, tracking: tracker,
            focus: FocusPolicy(focus, value: tracking.focusValue))
    }
}
