import Settings

extension PipelineSettings {
    /// The detectors of these settings that would have seen something else than those of `recorded` did, so that a tape made with those
    /// cannot tell: a line for people each.
    package func limitations(on recorded: PipelineSettings) -> [String] {
        var lines: [String] = []
        func compare<Detector: Equatable>(
            _ name: String, _ mine: Detector?, _ theirs: Detector?, _ rates: (mine: Double?, theirs: Double?)
        ) {
            guard let mine else { return }
            guard let theirs else {
                lines.append("\(name): the tape has no such detector")
                return
            }
            if mine != theirs {
                lines.append("\(name): settings of what it sees differ; the tape has what it saw when it was recorded")
            }
            if let theirs = rates.theirs, theirs > 0, let mine = rates.mine, mine == 0 || mine > theirs {
                lines.append("\(name): the tape has \(theirs) frames a second and no more")
            }
        }
        compare("face", face?.seeing, recorded.face?.seeing, (face?.common.maxRate, recorded.face?.common.maxRate))
        compare(
            "barcode", barcode?.seeing, recorded.barcode?.seeing,
            (barcode?.common.maxRate, recorded.barcode?.common.maxRate))
        compare(
            "object", object?.seeing, recorded.object?.seeing,
            (object?.common.maxRate, recorded.object?.common.maxRate))
        compare(
            "scene", scene?.seeing, recorded.scene?.seeing, (scene?.common.maxRate, recorded.scene?.common.maxRate))
        return lines
    }
}

// What acts on pixels; the rest, which acts on detections, at its default. nil: it does not run.

extension FaceSettings {
    fileprivate var seeing: FaceSettings? {
        var settings = self
        settings.common.maxRate = 0
        settings.tracking = TrackingSettings()
        return enabled ? settings : nil
    }
}

extension BarcodeSettings {
    fileprivate var seeing: BarcodeSettings? {
        var settings = self
        let plain = BarcodeSettings()
        settings.common.maxRate = 0
        settings.tracking = plain.tracking
        settings.identity = plain.identity
        settings.confirmReads = plain.confirmReads
        settings.cooldown = plain.cooldown
        settings.parseValues = plain.parseValues
        settings.redact = plain.redact
        return enabled ? settings : nil
    }
}

extension ObjectSettings {
    fileprivate var seeing: ObjectSettings? {
        var settings = self
        let plain = ObjectSettings()
        settings.mode = plain.mode
        settings.multiple = plain.multiple
        settings.maxObjects = plain.maxObjects
        settings.common.maxRate = 0
        settings.tracking = TrackingSettings()
        return enabled ? settings : nil
    }
}

extension SceneSettings {
    fileprivate var seeing: SceneSettings? {
        var settings = self
        settings.common.maxRate = 0
        settings.tracking = TrackingSettings()
        return enabled ? settings : nil
    }
}
