// SPDX-License-Identifier: Apache-2.0
/// The sparse assignment problem: pairs rows with columns, each at most once, so that the sum of the pairs' scores is
/// the greatest there is. Rows and columns may stay alone.
///
/// The method is shortest augmenting paths with dual variables, over the offered pairs alone. Sources: Jonker and
/// Volgenant 1987; Crouse 2016 for the rectangular problem without their initial phases. A search never leaves its
/// component of the graph, and a pair that stands alone costs nothing.
///
/// Ties fall to the lower column, earlier rows first, so the result is the same every time. Storage is kept from one
/// problem to the next.
struct Assignment {
    /// Pairs in the order of the rows; `firstPair` has one entry more than there are rows.
    private var pairs: [Pair] = []
    private var firstPair: [Int] = [0]
    private var rows: [Row] = []
    private var columns: [Column] = []
    /// The rows and columns of one search.
    private var reached: [Int] = []
    private var tree: [Int] = []

    private struct Pair {
        var column: Int
        var cost: Double
    }

    private struct Row {
        var dual = 0.0
        var column = Assignment.none
    }

    private struct Column {
        var dual = 0.0
        var row = Assignment.none
        // The distance within the search in progress.
        var distance = Double.infinity
        var predecessor = Assignment.none
        var isScanned = false
    }

    private static let none = -1

    /// Starts a problem without rows.
    mutating func reset(columns count: Int) {
        pairs.removeAll(keepingCapacity: true)
        firstPair.removeAll(keepingCapacity: true)
        firstPair.append(0)
        rows.removeAll(keepingCapacity: true)
        columns.removeAll(keepingCapacity: true)
        for _ in 0..<count { columns.append(Column()) }
    }

    /// Allows a pair of the row that comes next, at most once for each column. The score is finite.
    mutating func offer(column: Int, score: Double) {
        pairs.append(Pair(column: column, cost: -score))
    }

    /// Ends a row, with what was offered for it.
    mutating func endRow() {
        rows.append(Row())
        firstPair.append(pairs.count)
    }

    mutating func solve() {
        for row in rows.indices where firstPair[row] < firstPair[row + 1] { augment(from: row) }
    }

    /// The partner of a row after `solve`.
    func column(ofRow row: Int) -> Int? {
        let column = rows[row].column
        return column == Self.none ? nil : column
    }

    /// Adds a row to the solution along the cheapest alternating path. It ends at a column that is free or at a row
    /// that stays alone, which costs 0.
    private mutating func augment(from start: Int) {
        var (row, distance) = (start, 0.0)
        var alone = (row: start, distance: Double.infinity)
        var end = Self.none
        while true {
            tree.append(row)
            let base = distance - rows[row].dual
            if base < alone.distance { alone = (row, base) }
            for pair in pairs[firstPair[row]..<firstPair[row + 1]] where !columns[pair.column].isScanned {
                let through = base + pair.cost - columns[pair.column].dual
                guard through < columns[pair.column].distance else { continue }
                if columns[pair.column].distance == .infinity { reached.append(pair.column) }
                columns[pair.column].distance = through
                columns[pair.column].predecessor = row
            }
            var nearest = Self.none
            distance = .infinity
            for column in reached where !columns[column].isScanned {
                let candidate = columns[column].distance
                if candidate < distance || (candidate == distance && column < nearest) {
                    (nearest, distance) = (column, candidate)
                }
            }
            if nearest == Self.none || distance > alone.distance {
                distance = alone.distance
                break
            }
            columns[nearest].isScanned = true
            if columns[nearest].row == Self.none {
                end = nearest
                break
            }
            row = columns[nearest].row
        }
        updateDuals(start: start, distance: distance)
        if end == Self.none, alone.row != start {
            end = rows[alone.row].column
            rows[alone.row].column = Self.none
        }
        while end != Self.none {
            let row = columns[end].predecessor
            columns[end].row = row
            (rows[row].column, end) = (end, rows[row].column)
        }
        for column in reached {
            columns[column].distance = .infinity
            columns[column].isScanned = false
        }
        reached.removeAll(keepingCapacity: true)
        tree.removeAll(keepingCapacity: true)
    }

    private mutating func updateDuals(start: Int, distance: Double) {
        for row in tree {
            let entry = row == start ? 0 : columns[rows[row].column].distance
            rows[row].dual += distance - entry
        }
        for column in reached where columns[column].isScanned {
            columns[column].dual -= distance - columns[column].distance
        }
    }
}
