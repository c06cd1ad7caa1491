import Installation
import Observations
import Pipelines
import Settings
import Tracking
import VisionDetectors

extension PipelineSettings {
    /// A lane for each detector whose table is there, in the order in which a frame's events are written.
    package func lanes(models: ModelLibrary) -> [LaneConfiguration] {
        var lanes: [LaneConfiguration] = []
        if let face, face.enabled {
            lanes.append(
                LaneConfiguration(
                    detector: FaceDetectorFactory(face, models: models), maximumRate: face.common.maxRate,
                    tracking: TrackerConfiguration(face.tracking, default: .face, birth: Float(face.confidence)),
                    focus: FocusPolicy(face.tracking.focus)))
        }
        if let barcode, barcode.enabled {
            lanes.append(
                LaneConfiguration(
                    detector: BarcodeDetectorFactory(barcode), maximumRate: barcode.common.maxRate,
                    tracking: TrackerConfiguration(
                        barcode.tracking, default: .barcode, payloads: PayloadRules(barcode)),
                    focus: FocusPolicy(barcode.tracking.focus)))
        }
        if let object, object.enabled {
            lanes.append(Self.unavailable(.object, object.common, object.tracking, preset: .object))
        }
        if let scene, scene.enabled {
            lanes.append(
                LaneConfiguration(
                    detector: SceneDetectorFactory(scene, models: models), maximumRate: scene.common.maxRate,
                    tracking: TrackerConfiguration(scene), focus: FocusPolicy(scene.tracking.focus)))
        }
        return lanes
    }

    private static func unavailable(
        _ kind: FeatureKind, _ common: DetectorSettings, _ tracking: TrackingSettings, preset: TrackerConfiguration
    ) -> LaneConfiguration {
        LaneConfiguration(
            detector: UnavailableDetectorFactory(
                name: kind.rawValue, kind: kind, reason: "this version of glimpsed has no \(kind.rawValue) detector"),
            maximumRate: common.maxRate, tracking: TrackerConfiguration(tracking, default: preset),
            focus: FocusPolicy(tracking.focus))
    }
}

extension TrackerConfiguration {
    /// Every label that the detector reports is there.
    init(_ settings: SceneSettings) {
        self.init(settings.tracking, default: .scene, birth: Float(settings.leavingConfidence))
        longestStep = settings.longestStep
    }

    /// The preset, with what the settings say on top.
    ///
    /// - Parameter birth: the detector's own threshold: what it reports starts a track.
    init(
        _ settings: TrackingSettings, default preset: TrackerConfiguration, birth: Float? = nil,
        payloads: PayloadRules = PayloadRules()
    ) {
        self =
            switch settings.preset {
            case nil: preset
            case .face: .face
            case .barcode: .barcode
            case .object: .object
            case .erratic: .erratic
            }
        if let birth {
            self.birth = min(self.birth, birth)
            high = min(high, birth)
        }
        self.payloads = payloads
        if let hits = settings.hits { self.hits = hits }
        if let maxGap = settings.maxGap { gap = .time(limit: maxGap / .seconds(1)) }
        if let frames = settings.maxGapFrames { gap = .frames(limit: frames) }
        setThresholds(settings)
        if let capacity = settings.capacity { self.capacity = capacity }
        if let reentry = settings.reentry { self.reentry = reentry / .seconds(1) }
        if let cameraShift = settings.cameraShift { self.cameraShift = cameraShift }
        smoothedBox = settings.smoothedBox
        confusables = Confusables(settings.confusable)
    }

    /// What starts a track must also continue it, so a `high` or a `birth` that is given alone moves the other one along.
    private mutating func setThresholds(_ settings: TrackingSettings) {
        if let low = settings.low { self.low = Float(low) }
        if let high = settings.high {
            self.high = Float(high)
            birth = max(birth, self.high)
        }
        if let birth = settings.birth {
            self.birth = Float(birth)
            high = min(high, self.birth)
        }
        if let certain = settings.certain { certainScore = Float(certain) }
    }
}

extension PayloadRules {
    init(_ settings: BarcodeSettings) {
        self.init()
        identity =
            switch settings.identity {
            case .valueAndPosition: .valueAndPosition
            case .value: .value
            }
        confirmation =
            switch settings.confirmReads {
            case .auto: .auto
            case .count(let reads): .reads(reads)
            }
        cooldown = settings.cooldown / .seconds(1)
    }
}

extension FocusPolicy {
    init(_ setting: FocusSetting) {
        self =
            switch setting {
            case .none: .none
            case .largestFace: .largestFace
            case .central: .central
            case .largest: .largest
            case .value(let value): .value(value)
            }
    }
}
