// SPDX-License-Identifier: Apache-2.0
import Settings
import Tracking

extension TrackerConfiguration {
    /// The preset with the changes from the settings.
    ///
    /// - Parameter birth: the detector's own threshold. A detection that the detector reports starts a track.
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
        if let isSmoothed = settings.smoothedLandmarks { faces.isSmoothed = isSmoothed }
        if let hold = settings.landmarkHold { faces.hold = hold / .seconds(1) }
        if !settings.enabled { self = untracked }
    }

    /// A detection that starts a track must also continue it. If only one of `high` and `birth` is given, the other one
    /// is moved accordingly.
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

extension TrackerConfiguration {
    /// Every label that the detector reports becomes a track.
    init(_ settings: SceneSettings) {
        self.init(settings.tracking, default: .scene, birth: Float(settings.leavingConfidence))
        longestStep = settings.longestStep
    }

    init(_ settings: ObjectSettings) {
        self.init(settings.tracking, default: .object, birth: Float(settings.confidence))
        marksProminent = true
        reportLimit = settings.maxObjects
        completeHits = settings.mode == .stream ? Self.hitsOfACompleteObject : 0
        if settings.mode == .single { self = untracked }
    }

    /// The first box may show half of an object that comes into view. From the third detection on, the box and the
    /// class have proved stable.
    private static let hitsOfACompleteObject = 3
}

extension TrackerConfiguration {
    /// A program has judged its features already: each of them starts a track.
    init(ofProgram settings: TrackingSettings) {
        self.init(settings, default: .object, birth: 0)
        if settings.low == nil, settings.preset == nil { low = 0 }
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
    /// - Parameter value: the text or label for the focus `value`.
    init(_ setting: FocusSetting, value: String?) {
        self =
            switch setting {
            case .none: .none
            case .largestFace: .largestFace
            case .prominent: .prominent
            case .central: .central
            case .largest: .largest
            case .value: .value(value ?? "")
            }
    }
}
