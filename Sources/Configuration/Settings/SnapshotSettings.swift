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
    /// Of tracks; empty: all.
    package var kinds: [FeatureKind] = []
    package var region = Region.crop
    /// Of the box's width and height, on each side. 0...2.
    package var margin = 0.2
    /// Pixels. 32...8192.
    package var maxWidth = 640
    /// Of JPEG. 1...100.
    package var quality = 85
    /// Label and time burnt in.
    package var caption = false
    /// 0...1.
    package var minScore = 0.0
    package var bestInterval = Duration.milliseconds(500)
    package var save = Saving.always
    package var acceptWithin = Duration.seconds(600)
    package var maxAge = Duration.seconds(30 * 86_400)
    package var maxCount = 10_000
    package var maxBytes = 1 << 30

    package init() {}
}

extension PipelineSettings {
    /// Whether pictures are written that nobody asked for one by one.
    package var keepsPictures: Bool { snapshot?.enabled == true || search?.enabled == true }
}

extension SnapshotSettings {
    init(_ reader: TableReader) {
        reader.read("enabled", .boolean, into: &enabled)
        reader.read("on", .list(.choice()), into: &on)
        reader.read("kinds", .list(.choice()), into: &kinds)
        reader.read("region", .choice(), into: &region)
        reader.read("margin", .number(0...2), into: &margin)
        reader.read("max_width", .integer(32...8192), into: &maxWidth)
        reader.read("quality", .integer(1...100), into: &quality)
        reader.read("caption", .boolean, into: &caption)
        reader.read("min_score", .proportion, into: &minScore)
        reader.read("best_interval", .duration(.milliseconds(100)...(.seconds(60))), into: &bestInterval)
        reader.read("save", .choice(), into: &save)
        reader.read("accept_within", .duration(.seconds(1)...(.seconds(86_400))), into: &acceptWithin)
        reader.read("max_age", .duration(.seconds(1)...(.seconds(3650 * 86_400))), into: &maxAge)
        reader.read("max_count", .integer(1...1_000_000), into: &maxCount)
        reader.read("max_bytes", .byteCount((64 << 10)...(1 << 50)), into: &maxBytes)
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
