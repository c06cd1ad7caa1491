/// The `[object]` table.
package struct ObjectSettings: Sendable, Equatable {
    package var enabled = true
    package var common = DetectorSettings()
    package var tracking = TrackingSettings()
    /// A catalogue name, `motion`, or `auto` (the best installed, else `motion`).
    package var model = "auto"
    package var mode = Mode.stream
    /// `false`: only the most prominent.
    package var multiple = true
    /// 1...1000.
    package var maxObjects = 5
    /// Coarse categories and labels.
    package var classify = false
    /// One box for a thing whatever its class; `classify` off has that too.
    package var classAgnostic = false
    /// Things of no class too, as proposals without a label.
    package var any = false
    /// Keep only these; empty = all.
    package var labels: [String] = []
    /// 0...1. What the detector is less sure of is no object.
    package var confidence = 0.5
    /// 0...1. Labels that are less sure are left out.
    package var labelConfidence = 0.0
    /// 1...1000, best first.
    package var maxLabels = 10
    /// Longer side of the box as a proportion of the picture's longer side, 0...1.
    package var minSize = 0.0
    /// Of moving objects: what has not moved for so long belongs to the background again. A second to a day.
    package var stillAfter = Duration.seconds(30)
    /// OpenVINO device.
    package var device = "CPU"
    /// 1...256.
    package var threads = 1

    /// `stream` may use earlier frames; `single` judges each frame alone.
    package enum Mode: String, Sendable, CaseIterable {
        case stream, single
    }

    /// The name of the detector of moving objects, where models are named.
    package static let motion = "motion"

    package init() {}
}

extension ObjectSettings {
    init(_ reader: TableReader) {
        reader.read("enabled", .boolean, into: &enabled)
        reader.read("model", .nonEmptyText, into: &model)
        reader.read("mode", .choice(), into: &mode)
        reader.read("multiple", .boolean, into: &multiple)
        reader.read("max_objects", .integer(1...1000), into: &maxObjects)
        reader.read("classify", .boolean, into: &classify)
        reader.read("class_agnostic", .boolean, into: &classAgnostic)
        reader.read("any", .boolean, into: &any)
        reader.read("labels", .list(.nonEmptyText), into: &labels)
        reader.read("confidence", .proportion, into: &confidence)
        reader.read("label_confidence", .proportion, into: &labelConfidence)
        reader.read("max_labels", .integer(1...1000), into: &maxLabels)
        reader.read("min_size", .proportion, into: &minSize)
        reader.read("still_after", .duration(.seconds(1)...(.seconds(86400))), into: &stillAfter)
        reader.read("device", .nonEmptyText, into: &device)
        reader.read("threads", .integer(1...256), into: &threads)
        common.decode(reader)
        tracking.decode(reader.table("tracking"), focuses: TrackingSettings.FocusName.ofObjects, hasClasses: true)
        if any, !labels.isEmpty {
            reader.report("labels", "labels does not apply where any = true", suggestion: "proposals have no labels")
        }
        if model == Self.motion { refuseWhatMotionCannot(reader) }
        reader.finish()
    }

    private func refuseWhatMotionCannot(_ reader: TableReader) {
        let why = "model = \"\(Self.motion)\" knows no classes"
        if classify { reader.report("classify", "classify needs an object model", suggestion: why) }
        if any { reader.report("any", "any needs an object model", suggestion: why) }
        if !labels.isEmpty { reader.report("labels", "labels needs an object model", suggestion: why) }
        if mode == .single {
            reader.report(
                "mode", "mode \"single\" needs an object model",
                suggestion: "model = \"\(Self.motion)\" compares a frame with those before it")
        }
    }
}
