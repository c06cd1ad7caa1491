// What a change of each key of a detector means. docs/control.md says it in words; a test walks the keys of docs/configuration.md.

extension FaceSettings: DetectorTable {
    package static let detector = "face"
    package static let keys: [DetectorKey<FaceSettings>] =
        [
            .init("enabled", .worker, \.enabled),
            .init("roi", .detector, \.common.roi),
            .init("max_rate", .rules, \.common.maxRate),
            .init("model", .worker, \.model),
            .init("mode", .worker, \.mode),
            .init("landmarks", .worker, \.landmarks),
            .init("classification", .worker, \.classification),
            .init("min_size", .worker, \.minSize),
            .init("check_min_size", .detector, \.checkMinSize),
            .init("prominent_only", .detector, \.prominentOnly),
            .init("confidence", .detector, \.confidence),
            .init("device", .worker, \.device),
            .init("threads", .worker, \.threads),
            .init("tracking.preset", .rules, \.tracking.preset),
            .init("tracking.low", .rules, \.tracking.low),
        ] + DetectorKey.tracking
}

extension BarcodeSettings: DetectorTable {
    package static let detector = "barcode"
    package static let keys: [DetectorKey<BarcodeSettings>] =
        [
            .init("enabled", .worker, \.enabled),
            .init("roi", .detector, \.common.roi),
            .init("max_rate", .rules, \.common.maxRate),
            .init("formats", .detector, \.formats),
            .init("effort", .detector, \.effort),
            .init("scan", .detector, \.scan),
            .init("identity", .rules, \.identity),
            .init("confirm_reads", .rules, \.confirmReads),
            .init("report_undecoded", .detector, \.reportUndecoded),
            .init("cooldown", .rules, \.cooldown),
            .init("allow", .detector, \.allow),
            .init("deny", .detector, \.deny),
            // The events' own, which every lane of the worker shares.
            .init("parse_values", .worker, isSeen: false, \.parseValues),
            .init("redact", .worker, isSeen: false, \.redact),
            .init("tracking.preset", .rules, \.tracking.preset),
            .init("tracking.low", .rules, \.tracking.low),
        ] + DetectorKey.tracking
}

extension ObjectSettings: DetectorTable {
    package static let detector = "object"
    package static let keys: [DetectorKey<ObjectSettings>] =
        [
            .init("enabled", .worker, \.enabled),
            .init("roi", .detector, \.common.roi),
            .init("max_rate", .rules, \.common.maxRate),
            .init("model", .worker, \.model),
            .init("mode", .worker, \.mode),
            // The tracker chooses among all that is seen. Fewer would end tracks that are in view.
            .init("multiple", .worker, isSeen: false, \.multiple),
            .init("max_objects", .worker, isSeen: false, \.maxObjects),
            .init("classify", .worker, \.classify),
            .init("class_agnostic", .worker, \.classAgnostic),
            // A model without objectness makes the detector not operational.
            .init("any", .worker, \.any),
            // An unknown one makes the detector not operational.
            .init("labels", .worker, \.labels),
            .init("confidence", .detector, \.confidence),
            .init("label_confidence", .detector, \.labelConfidence),
            .init("max_labels", .detector, \.maxLabels),
            .init("min_size", .detector, \.minSize),
            .init("still_after", .detector, \.stillAfter),
            .init("device", .worker, \.device),
            .init("threads", .worker, \.threads),
            // The network gives what the tracker looks at, and no more.
            .init("tracking.preset", .detector, \.tracking.preset),
            .init("tracking.low", .detector, \.tracking.low),
        ] + DetectorKey.tracking
}

extension SceneSettings: DetectorTable {
    package static let detector = "scene"
    package static let keys: [DetectorKey<SceneSettings>] =
        [
            .init("enabled", .worker, \.enabled),
            .init("roi", .detector, \.common.roi),
            // How long a step may be before all begins anew follows from it.
            .init("max_rate", .detector, isSeen: false, \.common.maxRate),
            .init("model", .worker, \.model),
            .init("top", .detector, \.top),
            .init("confidence", .detector, \.confidence),
            .init("hysteresis", .detector, \.hysteresis),
            .init("smoothing", .detector, \.smoothing),
            .init("device", .worker, \.device),
            .init("threads", .worker, \.threads),
            .init("tracking.preset", .rules, \.tracking.preset),
            .init("tracking.low", .rules, \.tracking.low),
        ] + DetectorKey.tracking
}

/// A table with a `tracking` table in it.
protocol TrackedTable: Sendable, Equatable {
    var tracking: TrackingSettings { get set }
}

extension FaceSettings: TrackedTable {}
extension BarcodeSettings: TrackedTable {}
extension ObjectSettings: TrackedTable {}
extension SceneSettings: TrackedTable {}

extension DetectorKey where Table: TrackedTable {
    /// Those of `tracking` that mean the same to every detector.
    static var tracking: [DetectorKey] {
        [
            .init("tracking.enabled", .rules, \.tracking.enabled),
            .init("tracking.hits", .rules, \.tracking.hits),
            .init("tracking.max_gap", .rules, \.tracking.maxGap),
            .init("tracking.max_gap_frames", .rules, \.tracking.maxGapFrames),
            // What is reported would change under the tracks that are.
            .init("tracking.focus", .worker, isSeen: false, \.tracking.focus),
            .init("tracking.high", .rules, \.tracking.high),
            .init("tracking.birth", .rules, \.tracking.birth),
            .init("tracking.certain", .rules, \.tracking.certain),
            .init("tracking.capacity", .rules, \.tracking.capacity),
            .init("tracking.reentry", .rules, \.tracking.reentry),
            .init("tracking.camera_shift", .rules, \.tracking.cameraShift),
            .init("tracking.smoothed_box", .rules, \.tracking.smoothedBox),
            .init("tracking.smoothed_landmarks", .rules, \.tracking.smoothedLandmarks),
            .init("tracking.landmark_hold", .rules, \.tracking.landmarkHold),
            .init("tracking.confusable", .rules, \.tracking.confusable),
        ]
    }
}
