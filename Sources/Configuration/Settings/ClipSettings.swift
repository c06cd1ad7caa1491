// SPDX-License-Identifier: Apache-2.0
import Observations

/// The `[clip]` table: clips of a camera's own video, or of covered pictures.
package struct ClipSettings: Sendable, Equatable {
    /// The treatment of clips where a mask or a blur covers pictures.
    package enum Covered: String, Sendable, CaseIterable {
        /// The configuration is an error.
        case refuse
        /// The worker encodes the covered pictures.
        case encode
    }

    /// `KIND`, `KIND:LABEL`, `zone:NAME` or `line:NAME`.
    package var on: [String] = []
    /// The time before the first event. 0...10 min.
    package var before = Duration.seconds(5)
    /// The time after the last event. 0...10 min.
    package var after = Duration.seconds(5)
    /// The clip is cut after this time, and the next clip goes on. 10 s...1 h.
    package var maxLength = Duration.seconds(120)
    package var covered = Covered.refuse

    package static let standard = Self()
}

extension ClipSettings: KeyedTable {
    package static let keys = rows(
        of: Self.init(on:before:after:maxLength:covered:),
        .init(
            "on", \.on, .list(.nonEmptyText), .worker,
            "causes of a clip: a kind (`face`), a kind's label (`object:person`), `zone:NAME`, `line:NAME`"),
        .init(
            "before", \.before, .duration(.zero, to: .seconds(599)), .worker,
            "time before the cause at which the clip begins; the camera's own video needs a `source.ring` 1 s longer"),
        .init(
            "after", \.after, .duration(.zero, to: .seconds(600)), .worker,
            "time after the last sighting or crossing at which the clip ends"),
        .init(
            "max_length", \.maxLength, .duration(.seconds(10), to: .seconds(3600)), .worker,
            "a longer clip is cut at a key frame, and the next one goes on without a gap"),
        .init(
            "covered", \.covered, .choice(), .worker,
            "beside `[[mask]]` or `blur`: `refuse`: an error; `encode`: clips are encoded from the covered pictures"))

    /// `ring` has 1 s more than `before`, because a track is seen first and reported later.
    private static let reserve = Duration.seconds(1)

    init(_ reader: TableReader) {
        decode(reader)
        reader.finish()
    }

    /// Reports what the rest of the pipeline does not allow.
    func check(_ pipeline: PipelineSettings, _ reader: TableReader) {
        if on.isEmpty { reader.report("on", "on must name a cause of clips", suggestion: "such as on = [\"face\"]") }
        for word in on {
            guard let problem = problem(word, pipeline) else { continue }
            reader.report("on", "on has \(quoted(word)): \(problem)")
        }
        let ring = pipeline.source.ring.duration
        if !pipeline.coversPictures || covered == .refuse, ring < before + Self.reserve {
            reader.report(
                reader.has("before") ? "before" : "on", "source.ring must be at least before plus 1 s",
                suggestion: "set ring = \"10s\" in [source]")
        }
        if pipeline.coversPictures, covered == .refuse {
            reader.report(
                reader.has("covered") ? "covered" : "on",
                "a clip holds the camera's own video, in which masks and blur do not show",
                suggestion: "set covered = \"encode\" in [clip]")
        }
        if covered == .encode, pipeline.coversPictures, pipeline.source.pace != .realtime {
            reader.report(
                "covered", "clips are encoded only from a source that runs in real time",
                suggestion: "set pace = \"realtime\" in [source]")
        }
        if !pipeline.privacy.pictures { reader.report("on", "[privacy] pictures = false forbids clips") }
    }

    private func problem(_ word: String, _ pipeline: PipelineSettings) -> String? {
        let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts.count > 1 ? parts[1] : nil
        switch (parts[0], name) {
        case ("zone", let name?): return pipeline.zones.contains { $0.name == name } ? nil : "there is no such zone"
        case ("line", let name?): return pipeline.lines.contains { $0.name == name } ? nil : "there is no such line"
        case (let kind, let label):
            guard let detector = pipeline.runningDetectors.first(where: { $0.kind.rawValue == kind }) else {
                return "no detector gives this kind"
            }
            if label == "" { return "the label is missing" }
            return label != nil && !detector.givesLabels ? "this kind has no labels" : nil
        }
    }
}

extension PipelineSettings {
    /// Whether pictures differ from those of the camera, by a mask or a blur.
    fileprivate var coversPictures: Bool { !source.masks.isEmpty || !privacy.blur.isEmpty }
}
