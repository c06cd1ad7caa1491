/// What of a pipeline a running worker can change to. A key that is not named here needs a new worker.
extension PipelineSettings {
    /// Whether a worker that runs these settings can go on with `new`: source, detectors and models are the same.
    package func canTakeOver(_ new: PipelineSettings) -> Bool {
        var result = self
        result.file = new.file
        result.face = Self.taking(face, new.face) { face, new in
            face.common = new.common
            face.tracking.takeOver(new.tracking)
            face.confidence = new.confidence
            face.prominentOnly = new.prominentOnly
        }
        result.barcode = Self.taking(barcode, new.barcode) { barcode, new in
            barcode.common = new.common
            barcode.tracking.takeOver(new.tracking)
            barcode.formats = new.formats
            barcode.effort = new.effort
            barcode.scan = new.scan
            barcode.identity = new.identity
            barcode.confirmReads = new.confirmReads
            barcode.reportUndecoded = new.reportUndecoded
            barcode.cooldown = new.cooldown
            barcode.allow = new.allow
            barcode.deny = new.deny
        }
        result.object = Self.taking(object, new.object) { object, new in
            object.common = new.common
            object.tracking.takeOver(new.tracking)
            object.confidence = new.confidence
        }
        result.scene = Self.taking(scene, new.scene) { scene, new in
            scene.common = new.common
            scene.confidence = new.confidence
        }
        return result == new
    }

    private static func taking<Table>(_ old: Table?, _ new: Table?, _ take: (inout Table, Table) -> Void) -> Table? {
        guard var table = old, let new else { return old }
        take(&table, new)
        return table
    }
}

extension TrackingSettings {
    /// Everything but the focus: what is reported would change under the tracks that are.
    fileprivate mutating func takeOver(_ new: TrackingSettings) {
        let focus = focus
        self = new
        self.focus = focus
    }
}
