// SPDX-License-Identifier: Apache-2.0
import Installation
import ModelCatalog

/// The catalogue as a table for people.
struct ModelTable {
    let library: ModelLibrary

    /// Lines without newlines.
    var lines: [String] {
        let rows =
            [["NAME", "KIND", "SIZE", "LICENCE", "STATE", "GIVES"]]
            + library.catalog.entries.map { entry in
                [
                    entry.name, entry.kind.rawValue, Self.size(of: entry), entry.licence, state(of: entry), entry.gives,
                ]
            }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    private func state(of entry: ModelEntry) -> String {
        if library.isInstalled(entry) { return "installed" }
        if entry.files.contains(where: { $0.sha256 == nil }) { return "no hash" }
        return entry.verified ? "-" : "unverified"
    }

    private static func size(of entry: ModelEntry) -> String {
        guard let bytes = entry.network.bytes else { return "?" }
        return sizeText(bytes + (entry.weights?.bytes ?? 0))
    }
}

/// A size such as `3.7 MB`.
func sizeText(_ bytes: Int) -> String {
    bytes < 1_000_000 ? "\((bytes + 500) / 1000) kB" : "\(Double((bytes + 50_000) / 100_000) / 10) MB"
}
