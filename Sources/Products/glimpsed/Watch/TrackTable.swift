// SPDX-License-Identifier: Apache-2.0
import GlimpseClient
import TerminalText

/// The live tracks, the live searches and the latest messages, as rows of text.
struct TrackTable {
    private struct Key: Hashable {
        var pipeline: String
        var detector: String
        var id: String
    }

    private struct Row {
        var pipeline: String
        var kind: String
        var id: String
        var what: String
        var age: String
        var state: String
        var place: String

        var cells: [String] { [pipeline, kind, id, what, age, state, place] }
    }

    private static let titles = ["PIPELINE", "KIND", "ID", "WHAT", "AGE", "STATE", "WHERE"]
    private static let (pipelineColumn, whatColumn) = (0, 3)
    private static let rememberedNews = 8

    private var rows: [Key: Row] = [:]
    private var news: [String] = []
    /// The newest line of each live search, by pipeline.
    private var searches: [String: String] = [:]
    /// Whether another `state` line continues the last one.
    private var isStateOpen = false

    mutating func take(_ event: Event) {
        let pipeline = event.pipeline ?? ""
        switch event.content {
        case .hello(let hello):
            // Earlier tracks may have ended meanwhile; the `state` line lists the live ones.
            (rows, searches) = ([:], [:])
            add("connected to \(hello.server ?? "the daemon")")
        case .state(let state):
            if !isStateOpen { rows = [:] }
            isStateOpen = state.hasMore
            for live in state.tracks { show(live.track, of: live.pipeline, at: live.track.lastSeen) }
        case .track(let track) where track.phase == .completed:
            rows[Key(pipeline: pipeline, detector: track.detector, id: track.id)] = nil
            let name = "\(track.kind) \(track.id) \(track.what)"
            add("\(pipeline): \(name) completed (\(track.reason ?? "")) after \(track.frames ?? 0) frames")
        case .track(let track): show(track, of: pipeline, at: event.time)
        case .zone(let zone):
            let does = zone.state == "dwelling" ? "is dwelling in" : zone.state
            add("\(pipeline): \(zone.kind) \(zone.id) \(does) \(zone.zone)")
        case .line(let crossing): add("\(pipeline): \(crossing.sentence)")
        case .snapshot(let picture):
            let track = picture.kind.flatMap { kind in picture.id.map { "\(kind) \($0) " } } ?? ""
            add("\(pipeline): \(track)\(picture.file)")
        case .clip(let clip): add("\(pipeline): clip \(clip.file)")
        case .source(let source): add("\(pipeline): source \(source.state)\(source.error.map { ": \($0)" } ?? "")")
        case .detector(let detector):
            let state = detector.operational ? "operational" : "not operational"
            add("\(pipeline): \(detector.detector) \(state)\(detector.reason.map { ": \($0)" } ?? "")")
        case .configuration(let configuration):
            let names = configuration.changed?.joined(separator: ", ") ?? ""
            add("configuration: \(configuration.error ?? "changed: \(names)")")
        case .gap(let gap): add("lines were lost (\(gap.reason))")
        case .refused(let reason): add("refused: \(reason)")
        case .disconnected(let lost):
            (rows, searches) = ([:], [:])
            add("\(lost.reason); reconnecting")
        case .search(let search):
            searches[pipeline] = search.state == "not_started" ? nil : search.words
        case .frame, .ping, .other: break
        }
    }

    private mutating func show(_ track: TrackEvent, of pipeline: String, at time: Timestamp?) {
        let key = Key(pipeline: pipeline, detector: track.detector, id: track.id)
        rows[key] = Row(
            pipeline: pipeline, kind: track.kind, id: track.id, what: track.what, age: Self.age(track, at: time),
            state: track.phase == .missing ? "missing \(track.missingFrames)" : "in view", place: track.place)
    }

    /// The time since the track was first seen.
    private static func age(_ track: TrackEvent, at time: Timestamp?) -> String {
        guard let now = time?.nanosecondsSince1970, let first = track.firstSeen.nanosecondsSince1970 else { return "" }
        let tenths = max(0, now - first) / 100_000_000
        return "\(tenths / 10).\(tenths % 10) s"
    }

    private mutating func add(_ text: String) {
        // Every failed attempt to reconnect gives an equal message.
        guard news.last != text else { return }
        news.append(text)
        if news.count > Self.rememberedNews { news.removeFirst() }
    }

    /// The table with its titles, then the searches, then the latest messages, cut to the size of the terminal. On a
    /// low terminal searches and messages get at most a third of the height each, and the newest messages are shown.
    /// Tracks without a row are counted.
    func rows(width: Int, height: Int) -> [String] {
        let third = max(1, height / 3)
        let latest = news.suffix(third)
        let lines = searches.sorted { $0.key < $1.key }.prefix(third).map { "\($0.key): search: \($0.value)" }
        let sorted = rows.sorted {
            ($0.key.pipeline, $0.key.detector, $0.key.id.count, $0.key.id) < (
                $1.key.pipeline, $1.key.detector, $1.key.id.count, $1.key.id
            )
        }
        // Without the titles and the empty row before the messages.
        let room = max(1, height - 2 - latest.count - lines.count)
        let shown = sorted.count > room ? sorted.prefix(room - 1) : sorted[...]
        let table = TextTable(Self.titles, shown.map(\.value.cells))
            .lines(width: width, shrinking: [Self.pipelineColumn, Self.whatColumn])
        let rest = shown.count < sorted.count ? ["and \(sorted.count - shown.count) more"] : []
        let words = (rest + lines + [""] + latest).map { $0.printable.cut(toColumns: width) }
        return Array((table + words).prefix(height))
    }
}
