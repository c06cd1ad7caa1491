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
    /// From where on a label is there. 0...1.
    package var confidence = 0.9
    /// A label leaves below this part of `confidence`. 0.01...1.
    package var hysteresis = 0.5
    /// Time constant of the smoothing of probabilities; zero = none.
    package var smoothing = Duration.seconds(1)
    /// OpenVINO device.
    package var device = "CPU"
    /// 1...256.
    package var threads = 1

    package init() {}

    /// Below which a label leaves.
    package var leavingConfidence: Double { confidence * hysteresis }

    /// Seconds between two runs after which everything begins anew: more than a slow `max_rate` makes by itself.
    package var longestStep: Double { common.maxRate > 0 ? max(5, 2.5 / common.maxRate) : 5 }
}

extension SceneSettings {
    init(_ reader: TableReader) {
        reader.read("enabled", .boolean, into: &enabled)
        reader.read("model", .nonEmptyText, into: &model)
        reader.read("top", .integer(1...1000), into: &top)
        reader.read("confidence", .proportion, into: &confidence)
        reader.read("hysteresis", .number(0.01...1), into: &hysteresis)
        reader.read("smoothing", .duration(.zero...(.seconds(3600))), into: &smoothing)
        reader.read("device", .nonEmptyText, into: &device)
        reader.read("threads", .integer(1...256), into: &threads)
        common.decode(reader)
        tracking.decode(reader.table("tracking"), focuses: [.none, .value], hasIdentity: true)
        reader.finish()
    }
}
