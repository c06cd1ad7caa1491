// SPDX-License-Identifier: Apache-2.0
import Observations

/// A detector's table.
package protocol DetectorTable: KeyedTable {
    var kind: FeatureKind { get }
    var enabled: Bool { get set }
    var common: DetectorSettings { get set }
    var tracking: TrackingSettings { get set }

    /// Reports the values that do not go together.
    func check(_ reader: TableReader)
}

extension DetectorTable {
    package func check(_ reader: TableReader) {}

    init(_ reader: TableReader) {
        self = .standard
        decode(reader)
        if let table = reader.table("tracking") {
            decode(table, "tracking")
            tracking.check(table)
            table.finish()
        }
        check(reader)
        reader.finish()
    }

    /// Checks values that come from a program by the rules for values in a file.
    ///
    /// - Throws: every problem, without the name of a file.
    package func validate() throws(ConfigurationErrors) {
        let context = DecodingContext(file: nil)
        _ = Self(TableReader(nodes, context: context))
        try context.throwIfAny()
    }

    /// The means that a change to `new` needs; nil when the two are equal. A table of another kind needs a new worker.
    package func change(to new: any DetectorTable) -> SettingsChange? {
        guard let new = new as? Self else { return .worker }
        guard self != new else { return nil }
        var (result, change) = (self, SettingsChange.live)
        for key in Self.keys where key.change < .worker && key.differs(self, new) {
            key.adopt(&result, new)
            change = max(change, key.change)
        }
        return result == new ? change : .worker
    }

    /// Whether a detector of the one sees what a detector of the other does.
    package func sees(as other: any DetectorTable) -> Bool {
        guard let other = other as? Self else { return false }
        var result = self
        for key in Self.keys where !key.isSeen { key.adopt(&result, other) }
        return result == other
    }
}

/// A table of something that OpenVINO computes.
package protocol ComputingTable: KeyedTable {
    /// OpenVINO's name of it.
    var device: String { get set }
    /// 1...256.
    var threads: Int { get set }
}

extension SettingsRow where Table: ComputingTable, Value == String {
    static var device: Self {
        .init("device", \.device, .nonEmptyText, .worker, "OpenVINO's: `CPU`, `AUTO`, `GPU`, `NPU`")
    }
}

extension SettingsRow where Table: ComputingTable, Value == Int {
    static var threads: Self { .init("threads", \.threads, .integer(1...256), .worker, "threads of one run") }
}

extension SettingsRow where Table: DetectorTable, Value == Bool {
    static var enabled: Self { .init("enabled", \.enabled, .boolean, .worker, "`false`: the table has no effect") }
}

extension SettingsRow where Table: DetectorTable, Value == DetectorSettings {
    /// The keys of every detector.
    static func common(maxRate: SettingsChange = .live) -> Self {
        members(
            of: DetectorSettings.init(roi:maxRate:),
            .init("roi", \.common.roi, .region, .detector, "region of the picture that the detector sees"),
            .init(
                "max_rate", \.common.maxRate, .number(0...1000), maxRate, isSeen: false,
                "runs per second; 0: every frame that it can process"))
    }
}

extension SettingsRow where Table: DetectorTable, Value == TrackingSettings {
    /// The keys of a detector's `tracking` table.
    ///
    /// - Parameters:
    ///   - focuses: the values of `focus` that this detector can have.
    ///   - low: what a change of the lowest confidence takes.
    ///   - reentry: this and the following are the rows of keys that not all detectors have.
    static func tracking(
        focus focuses: [FocusSetting], low: SettingsChange = .live,
        reentry: SettingsRow<Table, Duration?> = .noKey, enabled: SettingsRow<Table, Bool> = .noKey,
        smoothedLandmarks: SettingsRow<Table, Bool?> = .noKey, landmarkHold: SettingsRow<Table, Duration?> = .noKey,
        confusable: SettingsRow<Table, [[String]]> = .noKey
    ) -> Self {
        members(
            of: TrackingSettings.init(
                preset:hits:maxGap:maxGapFrames:low:high:birth:certain:capacity:cameraShift:smoothedBox:focus:
                focusValue:
                reentry:enabled:smoothedLandmarks:landmarkHold:confusable:),
            .init(
                "tracking.preset", optional: \.tracking.preset, .choice(), low,
                "source of the other keys' defaults; the detector's own by default"),
            .init(
                "tracking.hits", optional: \.tracking.hits, .integer(1...100), .live,
                "sightings in a row before `detected`"),
            .init(
                "tracking.max_gap", optional: \.tracking.maxGap, .duration, .live,
                "longest time for which a live track may be unseen"),
            .init(
                "tracking.max_gap_frames", optional: \.tracking.maxGapFrames, .integer(0...100_000), .live,
                "Mobile Vision's rule instead of `max_gap`: after this number of absent frames the next one completes"),
            .init(
                "tracking.low", optional: \.tracking.low, .proportion, low,
                "detections with less confidence are ignored"),
            .init(
                "tracking.high", optional: \.tracking.high, .proportion, .live,
                "detections with less only continue a track that was seen in the frame before"),
            .init(
                "tracking.birth", optional: \.tracking.birth, .proportion, .live, "detections with less start no track"),
            .init(
                "tracking.certain", optional: \.tracking.certain, .proportion, .live,
                "a first sighting with this confidence is enough"),
            .init(
                "tracking.capacity", optional: \.tracking.capacity, .integer(1...1024), .live,
                "greatest number of live tracks"),
            .init(
                "tracking.camera_shift", optional: \.tracking.cameraShift, .boolean, .live,
                "tracks follow their common displacement"),
            .init(
                "tracking.smoothed_box", \.tracking.smoothedBox, .boolean, .live,
                "the motion filter's box in `detected` and `update`"),
            // A live change would alter which of the live tracks are reported.
            .init(
                "tracking.focus", \.tracking.focus, .focus(among: focuses), .worker, isSeen: false,
                "only one track is reported"),
            !focuses.contains(.value)
                ? .noKey
                : .init(
                    "tracking.focus_value", optional: \.tracking.focusValue, .nonEmptyText, .worker, isSeen: false,
                    "the text or label of the track that `focus = \"value\"` reports"),
            reentry, enabled, smoothedLandmarks, landmarkHold, confusable)
    }
}

extension SettingsRow where Table: DetectorTable, Value == Duration? {
    /// For detectors whose features carry a value: barcodes and scenes.
    static var reentry: Self {
        .init(
            "tracking.reentry", optional: \.tracking.reentry, .duration(.zero, to: .seconds(600)), .live,
            "for this time, a completed track can be the `previous_id` of a track with its value")
    }
}
