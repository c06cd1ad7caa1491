// SPDX-License-Identifier: Apache-2.0
import Observations

extension Mask {
    /// The `[[mask]]` tables.
    static func list(_ reader: TableReader) -> [Mask] {
        let tables = reader.tables("mask")
        if tables.count > most { reader.report("mask", "masks must be at most \(most), not \(tables.count)") }
        var names = Set<String>()
        return tables.map { table in
            let mask = Mask(table)
            if !mask.name.isEmpty, !mask.polygon.isEmpty, !names.insert(mask.name).inserted {
                table.report("name", "name \(quoted(mask.name)) is another mask's too")
            }
            return mask
        }
    }

    private init(_ reader: TableReader) {
        self = .standard
        decode(reader)
        reader.finish()
    }
}

extension Mask: KeyedTable {
    package static let standard = Self(name: "", polygon: [])

    package static let keys = rows(
        of: Self.init(name:polygon:),
        .init("name", \.name, .placeName, .worker, required: #"such as name = "street""#, "unique"),
        .init(
            "polygon", \.polygon, .polygon, .worker,
            required: "its corners, such as polygon = [[0, 0], [1, 0], [1, 0.2], [0, 0.2]]",
            "3 to 64 corners going round in either direction; edges must not cross or touch"))
}
