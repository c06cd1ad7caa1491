// SPDX-License-Identifier: Apache-2.0
import Observations
import Settings

/// A row of a key in the form of the documents.
struct DocumentedKey {
    var name: String
    var kinds: [String]
    var values: String
    var standard: String
    var change: SettingsChange
    var isSeen: Bool
    var meaning: String

    init(_ key: SettingsKey<some KeyedTable>) {
        name = key.name
        kinds = key.kinds
        values = key.values
        standard = key.standard ?? ""
        change = key.change
        isSeen = key.isSeen
        meaning = key.meaning
    }

    /// A row of a table in Markdown.
    func line(withTape: Bool) -> String {
        // A required key has no default.
        let isEmpty = ["", "\"\"", "[]"].contains(standard) && kinds.isEmpty == false
        let change =
            switch change {
            case .live: "at once"
            case .detector: "new detector"
            case .worker: "new worker"
            case .restart: "restart"
            }
        var cells = ["`\(name)`"]
        cells.append(values.replacing("|", with: "\\|"))
        cells.append(standard.isEmpty || isEmpty ? "" : "`\(standard)`")
        cells.append(change + (withTape && !isSeen ? ", tape" : ""))
        cells.append((kinds.isEmpty ? "" : "\(kinds.joined(separator: ", ")): ") + meaning)
        return "| " + cells.map { $0.isEmpty ? "" : $0 }.joined(separator: " | ").replacing("|  |", with: "| |") + " |"
    }
}

/// The documents that are generated from the rows.
enum SettingsDocuments {
    /// The text of `config.example.toml`.
    static var example: String {
        var text = """
            # The daemon's configuration, /etc/glimpsed/config.toml. Every key stands here with its default: loading this file is
            # the same as loading none, so keep only what you change. Each pipeline has a file of its own,
            # in the folder that `pipelines` names; see pipelines/*.toml.
            #
            # Durations are a whole number and ms, s, m, h or d; byte counts a whole number and B, KiB, MiB, GiB, TiB, or kB, MB,
            # GB, TB of 1000. A relative path starts at this file's folder. `glimpsed check` reads it all and changes nothing.

            """
        for table in DaemonSettings.tables {
            text += "\n[\(table)]\n"
            for key in DaemonSettings.keys where key.name.hasPrefix("\(table).") {
                let values = key.values.prefix(1).uppercased() + key.values.dropFirst()
                text +=
                    wrapped("\(key.meaning) \(values).")
                    + "\(key.name.dropFirst(table.count + 1)) = \(key.standard ?? "")\n"
            }
        }
        return text
    }

    private static func wrapped(_ text: String) -> String {
        var lines = ["#"]
        for word in text.split(separator: " ") {
            if lines[lines.count - 1].count + 1 + word.count > 120 { lines.append("#") }
            lines[lines.count - 1] += " \(word)"
        }
        return lines.map { "\($0)\n" }.joined()
    }

    private static let detectors =
        FeatureKind.builtIn.compactMap { kind -> (name: String, keys: [DocumentedKey])? in
            func keys<Table: DetectorTable>(_ table: Table) -> [DocumentedKey] { Table.keys.map(DocumentedKey.init) }
            let settings = try? PipelineSettings.parse("[source]\nkind = \"test\"\n[\(kind.rawValue)]\n")
            return settings?.detectors.first.map { (kind.rawValue, keys($0.table)) }
        } + [
            (
                "external",
                ExternalSettings.keys.map { key in
                    var row = DocumentedKey(key)
                    if ["kind", "command"].contains(key.name) { row.standard = "" }
                    return row
                }
            )
        ]

    /// The tables of `docs/`, by the name of their place in a page.
    static var tables: [String: String] {
        var tables = [
            "pipeline": markdown(PipelineSettings.keys.map(DocumentedKey.init)),
            "source": markdown(SourceKeys.keys.map(DocumentedKey.init) + SourceSettings.keys.map(DocumentedKey.init)),
            "zone": markdown(Zone.keys.map(DocumentedKey.init)),
            "line": markdown(CrossingLine.keys.map(DocumentedKey.init)),
            "mask": markdown(Mask.keys.map(DocumentedKey.init)),
            "privacy": markdown(PrivacySettings.keys.map(DocumentedKey.init)),
            "snapshot": markdown(SnapshotSettings.keys.map(DocumentedKey.init)),
            "clip": markdown(ClipSettings.keys.map(DocumentedKey.init)),
            "search": markdown(SearchSettings.keys.map(DocumentedKey.init)),
            "search.classifier": markdown(ClassifierSearchSettings.keys.map(DocumentedKey.init)),
            "search.index": markdown(IndexSearchSettings.keys.map(DocumentedKey.init)),
            "search.http": markdown(HTTPSearchSettings.keys.map(DocumentedKey.init)),
            "tracking": markdown(tracking, withTape: true),
            "web": markdown(WebSettings.keys.map(DocumentedKey.init)),
        ]
        for (name, keys) in detectors {
            tables[name] = markdown(keys.filter { !$0.name.hasPrefix("tracking.") }, withTape: true)
        }
        for table in DaemonSettings.tables {
            tables[table] = markdown(
                DaemonSettings.keys.map(DocumentedKey.init).filter { $0.name.hasPrefix("\(table).") }.map { key in
                    var key = key
                    key.name.removeFirst(table.count + 1)
                    return key
                })
        }
        return tables
    }

    /// The keys of `tracking`, each with its detectors. A key has two rows if detectors differ.
    private static var tracking: [DocumentedKey] {
        var rows: [DocumentedKey] = []
        for (detector, keys) in detectors {
            for var key in keys where key.name.hasPrefix("tracking.") {
                key.name.removeFirst("tracking.".count)
                let isRow = { (row: DocumentedKey) in
                    row.name == key.name && row.values == key.values && row.change == key.change
                }
                if let row = rows.firstIndex(where: isRow) {
                    rows[row].kinds.append(detector)
                } else {
                    key.kinds = [detector]
                    // Rows of one key are adjacent.
                    rows.insert(key, at: rows.lastIndex { $0.name == key.name }.map { $0 + 1 } ?? rows.count)
                }
            }
        }
        for row in rows.indices where rows[row].kinds.count == detectors.count { rows[row].kinds = [] }
        return rows
    }

    private static func markdown(_ keys: [DocumentedKey], withTape: Bool = false) -> String {
        (["| key | values | default | a change | |", "|---|---|---|---|---|"] + keys.map { $0.line(withTape: withTape) })
            .joined(separator: "\n")
    }
}
