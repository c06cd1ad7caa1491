/// The `[object]` table.
package struct ObjectSettings: Sendable, Equatable {
    package var enabled = true
    package var common = DetectorSettings()
    package var tracking = TrackingSettings()
    /// A catalogue name or `auto` (the best installed).
    package var model = "auto"
    package var mode = Mode.stream
    /// `false`: only the most prominent.
    package var multiple = true
    /// 1...1000.
    package var maxObjects = 5
    /// Coarse categories and labels.
    package var classify = false
    /// Keep only these; empty = all.
    package var labels: [String] = []
    /// 0...1.
    package var confidence = 0.5
    /// OpenVINO device.
    package var device = "CPU"
    /// 1...256.
    package var threads = 1

    /// `stream` may use earlier frames; `single` judges each frame alone.
    package enum Mode: String, Sendable, CaseIterable {
        case stream, single
    }

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
        reader.read("labels", .list(.nonEmptyText), into: &labels)
        reader.read("confidence", .proportion, into: &confidence)
        reader.read("device", .nonEmptyText, into: &device)
        reader.read("threads", .integer(1...256), into: &threads)
        common.decode(reader)
        tracking.decode(reader.table("tracking"), focuses: TrackingSettings.FocusName.ofValues, hasClasses: true)
        reader.finish()
    }
}
