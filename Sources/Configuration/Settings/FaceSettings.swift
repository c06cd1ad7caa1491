/// The `[face]` table.
package struct FaceSettings: Sendable, Equatable {
    package var enabled = true
    package var common = DetectorSettings()
    package var tracking = TrackingSettings()
    /// A catalogue name, `cascade`, or `auto` (the best installed).
    package var model = "auto"
    package var mode = DetectionMode.fast
    package var landmarks = true
    /// Smiling, eyes open.
    package var classification = false
    /// Head width as a proportion of the image width, 0...1.
    package var minSize = 0.1
    /// Whether pictures without a face are searched for smaller ones now and then.
    package var checkMinSize = true
    /// Only the largest, most central face.
    package var prominentOnly = false
    /// 0...1.
    package var confidence = 0.7
    /// OpenVINO device.
    package var device = "CPU"
    /// 1...256.
    package var threads = 1

    /// The name of OpenCV's cascade, where models are named.
    package static let cascade = "cascade"

    package init() {}
}

extension FaceSettings {
    init(_ reader: TableReader) {
        reader.read("enabled", .boolean, into: &enabled)
        reader.read("model", .nonEmptyText, into: &model)
        reader.read("mode", .choice(), into: &mode)
        reader.read("landmarks", .boolean, into: &landmarks)
        reader.read("classification", .boolean, into: &classification)
        reader.read("min_size", .proportion, into: &minSize)
        reader.read("check_min_size", .boolean, into: &checkMinSize)
        reader.read("prominent_only", .boolean, into: &prominentOnly)
        reader.read("confidence", .proportion, into: &confidence)
        reader.read("device", .nonEmptyText, into: &device)
        reader.read("threads", .integer(1...256), into: &threads)
        common.decode(reader)
        tracking.decode(reader.table("tracking"), focuses: TrackingSettings.FocusName.ofFaces, hasLandmarks: true)
        reader.finish()
    }
}
