/// The tracks in view and the last things that happened, as rows of text.
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
    private static let rememberedNews = 8

    private var rows: [Key: Row] = [:]
    private var news: [String] = []

    mutating func take(_ line: WatchedLine) {
        switch line.type {
        case "state":
            rows = [:]
            for track in line.tracks ?? [] {
                let key = Key(pipeline: track.pipeline, detector: track.detector, id: track.track.id)
                rows[key] = Row(
                    pipeline: track.pipeline, kind: track.kind, id: track.track.id,
                    what: track.barcode?.label ?? track.object?.labels?.first?.text
                        ?? "",
                    age: "\(track.track.ageFrames)", state: track.track.missingFrames > 0 ? "missing" : "in view",
                    place: "")
            }
        case "source":
            add("\(line.pipeline ?? ""): source \(line.state ?? "")\(line.error.map { ": \($0)" } ?? "")")
        case "detector":
            let state = line.operational == true ? "operational" : "not operational"
            add("\(line.pipeline ?? ""): \(line.detector ?? "") \(state)\(line.reason.map { ": \($0)" } ?? "")")
        case "gap": add("lines were lost")
        default: if line.isTrackLine { takeTrack(line) }
        }
    }

    private mutating func takeTrack(_ line: WatchedLine) {
        guard let pipeline = line.pipeline, let detector = line.detector, let kind = line.kind, let track = line.track
        else { return }
        let key = Key(pipeline: pipeline, detector: detector, id: track.id)
        if line.type == "completed" {
            rows[key] = nil
            add(
                "\(pipeline): \(kind) \(track.id) \(line.what) completed (\(line.reason ?? "")) after \(line.frames ?? 0) frames"
            )
            return
        }
        rows[key] = Row(
            pipeline: pipeline, kind: kind, id: track.id, what: line.what, age: "\(track.ageFrames)",
            state: line.type == "missing" ? "missing \(track.missingFrames)" : "in view", place: line.place)
    }

    private mutating func add(_ text: String) {
        news.append(text)
        if news.count > Self.rememberedNews { news.removeFirst() }
    }

    /// The table under its titles, then the news; nothing wider or higher than the terminal.
    func rows(width: Int, height: Int) -> [String] {
        let sorted = rows.sorted {
            ($0.key.pipeline, $0.key.detector, $0.key.id.count, $0.key.id) < (
                $1.key.pipeline, $1.key.detector, $1.key.id.count, $1.key.id
            )
        }
        let cells = [Self.titles] + sorted.prefix(max(1, height - Self.rememberedNews - 3)).map(\.value.cells)
        let widths = Self.titles.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        let table = cells.map { row in
            zip(row, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count) }
                .joined(separator: "  ")
        }
        return (table + [""] + news).prefix(height).map { Self.printable($0, width: width) }
    }

    /// Without control characters, which a symbol may carry and a terminal would obey.
    private static func printable(_ text: String, width: Int) -> String {
        String(
            text.unicodeScalars.map { $0.properties.generalCategory == .control ? "·" : Character($0) }.prefix(width))
    }
}
