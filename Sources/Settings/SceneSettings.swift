/// The `[scene]` table: labels of the whole picture.
package struct SceneSettings: Sendable, Equatable {
    package var enabled = true
    /// Two runs per second unless told otherwise.
    package var common = DetectorSettings(maxRate: 2)
    package var tracking = TrackingSettings()
    /// A catalogue name or `auto` (the best installed).
    package var model = "auto"
    /// How many labels, best first. 1...1000.
    package var top = 3
    /// 0...1.
    package var confidence = 0.2
    /// OpenVINO device.
    package var device = "CPU"
    /// 1...256.
    package var threads = 1

    package init() {}
}

extension SceneSettings {
    init(_ reader: TableReader) {
        reader.read("enabled", .boolean, into: &enabled)
        reader.read("model", .nonEmptyText, into: &model)
        reader.read("top", .integer(1...1000), into: &top)
        reader.read("confidence", .proportion, into: &confidence)
        reader.read("device", .nonEmptyText, into: &device)
        reader.read("threads", .integer(1...256), into: &threads)
        common.decode(reader)
        tracking.decode(reader.table("tracking"), focuses: [.none, .value])
        reader.finish()
    }
}
