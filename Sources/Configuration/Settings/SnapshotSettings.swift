// SPDX-License-Identifier: Apache-2.0
import Observations

/// The `[snapshot]` table: pictures of tracks, taken by rule.
package struct SnapshotSettings: Sendable, Equatable {
    /// When a picture is taken.
    package enum Rule: String, Sendable, CaseIterable {
        /// The frame of a track's `detected`.
        case detected
        /// The best frame of its life.
        case best
        /// The frame in which it ended.
        case completed
    }

    package enum Region: String, Sendable, CaseIterable {
        /// The track's box, with a margin.
        case crop
        case full
    }

    package enum Saving: String, Sendable, CaseIterable {
        case always
        /// Only what somebody accepts within `acceptWithin`.
        case accepted
    }

    package var enabled = true
    package var on: [Rule] = [.best]
    /// The kinds of the tracks; empty: all kinds.
    package var kinds: [FeatureKind] = []
    package var region = Region.crop
    /// A proportion of the box's width and height, added on each side. 0...2.
    package var margin = 0.2
    /// Pixels. 32...8192.
    package var maxWidth = 640
    /// The quality of JPEG. 1...100.
    package var quality = 85
    /// Label and time burnt in.
    package var caption = false
    /// 0...1.
    package var minScore = 0.0
    package var bestInterval = Duration.milliseconds(500)
    package var save = Saving.always
    package var acceptWithin = Duration.seconds(600)
    package var maxCount = 10_000
    /// Deprecated: replaced by `retention.pictures` of the daemon's file.
    package var maxAge: Duration?
    package var maxBytes: Int?

    package static let standard = Self()
}

extension PipelineSettings {
    /// Whether pictures are written that nobody asked for one by one.
    package var keepsPictures: Bool { snapshot?.enabled == true || search?.enabled == true }
}

extension SnapshotSettings: KeyedTable {
    package static let keys = rows(
        of: Self.init(
            enabled:on:kinds:region:margin:maxWidth:quality:caption:minScore:bestInterval:save:acceptWithin:
            maxCount:maxAge:maxBytes:),
        .init("enabled", \.enabled, .boolean, .worker, "`false`: the table has no effect"),
        .init(
            "on", \.on, .list(.choice()), .worker,
            "when to take a picture: at the track's `detected`, at the best frame of its life, at its end"),
        .init("kinds", \.kinds, .list(.kind), .worker, "kinds of tracks; `[]`: all"),
        .init("region", \.region, .choice(), .worker, "`crop`: the track's box with `margin`; `full`: the frame"),
        .init("margin", \.margin, .number(0...2), .worker, "`crop`: of the box's width and height, on each side"),
        .init("max_width", \.maxWidth, .integer(32...8192), .worker, "pixels; wider pictures are scaled down"),
        .init("quality", \.quality, .integer(1...100), .worker, "quality of the JPEG picture"),
        .init("caption", \.caption, .boolean, .worker, "label and time (UTC) burnt in; needs gstreamer1.0-x"),
        .init("min_score", \.minScore, .proportion, .worker, "`best`: least score of a best frame"),
        .init(
            "best_interval", \.bestInterval, .duration(.milliseconds(100), to: .seconds(60)), .worker,
            "`best`: a track's picture is written at most once in this time"),
        .init("save", \.save, .choice(), .worker, "`accepted`: a picture is deleted unless somebody accepts it"),
        .init(
            "accept_within", \.acceptWithin, .duration(.seconds(1), to: .seconds(86_400)), .worker,
            "`accepted`: time limit for accepting a picture"),
        .init(
            "max_count", \.maxCount, .integer(1...1_000_000), .worker, "pictures of the pipeline; the oldest go first"),
        .init(
            "max_age", optional: \.maxAge, .duration(.seconds(1), to: .seconds(3650 * 86_400)), .worker,
            "deprecated: see `retention.pictures`"),
        .init(
            "max_bytes", optional: \.maxBytes, .byteCount((64 << 10)...(1 << 50)), .worker,
            "deprecated: see `retention.pictures`"))

    /// The keys that `retention.pictures` of the daemon's file replaces.
    static let replacedKeys = ["max_age", "max_bytes"]
    static let replacement = "pictures in [retention] of the daemon's file"

    /// The limits of the pipeline's pictures: its own deprecated ones before those of the daemon's file.
    package func limits(_ retention: RetentionSettings.Limits<Int>) -> RetentionSettings.Limits<Int> {
        .init(age: maxAge ?? retention.age, size: maxBytes ?? retention.size)
    }

    init(_ reader: TableReader) {
        decode(reader)
        let limits = limits(RetentionSettings().pictures)
        let advice = ValueFormat.limits(.byteCount()).write(limits)?.toml ?? ""
        for key in Self.replacedKeys where reader.has(key) {
            reader.context.reportReplaced(
                reader.path + [key], by: Self.replacement, isDouble: false, advice: "write pictures = \(advice) there")
        }
        if on.isEmpty { reader.report("on", "on must name a rule", suggestion: "or set enabled = false") }
        if region == .full, reader.has("margin") { reader.report("margin", "margin applies only to region = \"crop\"") }
        if !on.contains(.best) {
            for key in ["min_score", "best_interval"] where reader.has(key) {
                reader.report(key, "\(key) applies only where on has \"best\"")
            }
        }
        if save == .always, reader.has("accept_within") {
            reader.report("accept_within", "accept_within applies only to save = \"accepted\"")
        }
        reader.finish()
    }
}
