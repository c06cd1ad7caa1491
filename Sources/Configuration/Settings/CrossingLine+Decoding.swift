// SPDX-License-Identifier: Apache-2.0
import Observations

extension CrossingLine {
    /// The `[[line]]` tables. Each track is compared with each line, so they are few.
    ///
    /// - Parameter haveLabels: whether a detector of the pipeline gives labels.
    static func list(_ reader: TableReader, haveLabels: Bool) -> [CrossingLine] {
        let tables = reader.tables("line")
        if tables.count > most { reader.report("line", "lines must be at most \(most), not \(tables.count)") }
        var names = Set<String>()
        return tables.map { table in
            let line = CrossingLine(table)
            if !line.labels.isEmpty, !haveLabels {
                table.report(
                    "labels", "labels need a detector that gives labels", suggestion: "set object.classify = true")
            }
            if !line.name.isEmpty, !names.insert(line.name).inserted {
                table.report("name", "name \(quoted(line.name)) is another line's too")
            }
            return line
        }
    }

    private init(_ reader: TableReader) {
        self = .standard
        decode(reader)
        reader.checkKinds(kinds.sorted { $0.rawValue < $1.rawValue })
        if reader.has("from"), reader.has("to"), from == to {
            reader.report(
                "to", "to must be another point than from", suggestion: "such as from = [0.2, 0.5], to = [0.8, 0.5]")
        }
        reader.finish()
    }
}

extension CrossingLine: KeyedTable {
    package static let standard = Self(name: "", from: Point(x: 0, y: 0), to: Point(x: 1, y: 0))

    package static let keys = rows(
        of: Self.init(name:from:to:anchor:hysteresis:kinds:labels:),
        .init("name", \.name, .placeName, .live, required: #"such as name = "door""#, "unique"),
        .init("from", \.from, .corner, .live, required: "such as from = [0.2, 0.5]", "where the line begins"),
        .init("to", \.to, .corner, .live, required: "such as to = [0.8, 0.5]", "where the line ends"),
        .init(
            "anchor", \.anchor, .choice(), .live,
            "the point of a track's box that crosses; `bottom`: the middle of its lower edge"),
        .init(
            "hysteresis", \.hysteresis, .single(0...0.5), .live,
            "how far past the line a crossing counts, of the picture's width"),
        .init("kinds", \.kinds, .kinds, .live, "kinds of features that count; `[]`: all"),
        .init("labels", \.labels, .labels, .live, "best labels of objects that count; `[]`: all"))
}

extension ValueFormat<Set<String>> {
    fileprivate static var labels: Self {
        ValueFormat<[String]>.list(.nonEmptyText).map(back: { $0.sorted() }) { Set($0) }
    }
}
