// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

@testable import Tracking

@Suite struct AssignmentTests {
    /// Scores by row and column; nil where a pair is not allowed.
    private typealias Table = [[Double?]]

    private func solve(_ table: Table, columns: Int, with assignment: inout Assignment) -> [Int?] {
        assignment.reset(columns: columns)
        for row in table {
            for (column, score) in row.enumerated() {
                if let score { assignment.offer(column: column, score: score) }
            }
            assignment.endRow()
        }
        assignment.solve()
        return table.indices.map { assignment.column(ofRow: $0) }
    }

    /// The greatest sum of all assignments, by brute force.
    private func best(_ table: Table, from row: Int = 0, taken: Set<Int> = []) -> Double {
        guard row < table.count else { return 0 }
        var sum = best(table, from: row + 1, taken: taken)
        for (column, score) in table[row].enumerated() where !taken.contains(column) {
            guard let score else { continue }
            sum = max(sum, score + best(table, from: row + 1, taken: taken.union([column])))
        }
        return sum
    }

    private func randomTable(_ random: inout SeededRandom, isTied: Bool = false) -> (table: Table, columns: Int) {
        let (rows, columns) = (Int.random(in: 0...7, using: &random), Int.random(in: 0...7, using: &random))
        let density = Double.random(in: 0...1, using: &random)
        let table = (0..<rows).map { _ in
            (0..<columns).map { _ -> Double? in
                guard Double.random(in: 0..<1, using: &random) < density else { return nil }
                return isTied ? Double(Int.random(in: 1...3, using: &random)) : .random(in: 0.01...3, using: &random)
            }
        }
        return (table, columns)
    }

    @Test(arguments: [false, true])
    func theAssignmentEqualsBruteForce(isTied: Bool) {
        var random = SeededRandom(seed: 3)
        // One solver for all problems. The state of a problem must not influence the next.
        var assignment = Assignment()
        for round in Fuzz.rounds(400) {
            let (table, columns) = randomTable(&random, isTied: isTied)
            let result = solve(table, columns: columns, with: &assignment)
            let chosen = result.compactMap(\.self)
            #expect(Set(chosen).count == chosen.count, "round \(round): a column twice")
            let scores = result.enumerated().map { row, column in column.map { table[row][$0] } ?? 0 }
            #expect(!scores.contains(nil), "round \(round): a pair that is not allowed")
            let sum = scores.compactMap(\.self).reduce(0, +)
            #expect(abs(sum - best(table)) < 1e-9, "round \(round)")
        }
    }

    @Test func theAssignmentDoesNotDependOnTheOrderOfRowsAndColumns() {
        var random = SeededRandom(seed: 4)
        var assignment = Assignment()
        for round in Fuzz.rounds(600) {
            let (table, columns) = randomTable(&random)
            let expected = solve(table, columns: columns, with: &assignment)
            let rowOrder = Array(table.indices).shuffled(using: &random)
            let columnOrder = Array(0..<columns).shuffled(using: &random)
            let shuffled = rowOrder.map { row in columnOrder.map { table[row][$0] } }
            let result = solve(shuffled, columns: columns, with: &assignment)
            for (place, row) in rowOrder.enumerated() {
                #expect(result[place].map { columnOrder[$0] } == expected[row], "round \(round)")
            }
        }
    }

    @Test func tiesOfTheAssignmentFallToTheLowerColumn() {
        var assignment = Assignment()
        let table: Table = [[1, 1], [1, 1]]
        #expect(solve(table, columns: 2, with: &assignment) == [0, 1])
    }
}
