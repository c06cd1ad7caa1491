// SPDX-License-Identifier: Apache-2.0
/// Rows of cells in columns under their titles.
package struct TextTable {
    private let rows: [[String]]

    /// - Parameter rows: as many cells in each as there are titles; made `printable`.
    package init(_ titles: [String], _ rows: [[String]]) {
        self.rows = [titles] + rows.map { $0.map(\.printable) }
    }

    /// The titles' line, then one for each row, without spaces at the end.
    ///
    /// - Parameters:
    ///   - width: columns available. The widest of the `shrinking` cells are cut until everything fits, down to 8
    ///     columns; the rest of a line then ends at the edge. nil: nothing is cut, and a cell of more than 40 columns
    ///     moves only the cells behind it in its own row.
    ///   - shrinking: columns whose cells may be cut, by their place.
    package func lines(width: Int? = nil, shrinking: [Int] = []) -> [String] {
        var widths = rows[0].indices.map { column in
            rows.map(\.[column].columns).filter { width != nil || $0 <= Self.aligned }.max() ?? 0
        }
        if let width {
            var excess = widths.reduce(0, +) + Self.gap.count * (widths.count - 1) - width
            while excess > 0, let widest = shrinking.max(by: { widths[$0] < widths[$1] }), widths[widest] > Self.least {
                widths[widest] -= 1
                excess -= 1
            }
        }
        return rows.map { row in
            let cells = zip(row, widths).map { cell, room in
                (width == nil ? cell : cell.cut(toColumns: room)).padded(toColumns: room)
            }
            var line = cells.joined(separator: Self.gap)[...]
            while line.last == " " { line.removeLast() }
            return width.map { String(line).cut(toColumns: $0) } ?? String(line)
        }
    }

    private static let gap = "  "
    private static let least = 8
    private static let aligned = 40
}
