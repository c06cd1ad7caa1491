/// Pairs rows with columns, best pair first, each at most once.
///
/// Ties fall to the lower row, then the lower column, so the result is the same every time.
struct Assignment {
    private var candidates: [Candidate] = []

    private struct Candidate {
        var score: Double
        var row: Int
        var column: Int
    }

    /// Offers a pair; one whose score is below `threshold` is not allowed.
    mutating func offer(row: Int, column: Int, score: Double, threshold: Double) {
        guard score >= threshold, score > 0 else { return }
        candidates.append(Candidate(score: score, row: row, column: column))
    }

    /// The chosen pairs; what was offered is forgotten.
    mutating func solve() -> [(row: Int, column: Int)] {
        candidates.sort { ($1.score, $0.row, $0.column) < ($0.score, $1.row, $1.column) }
        var (rows, columns) = (Set<Int>(), Set<Int>())
        var pairs: [(row: Int, column: Int)] = []
        for candidate in candidates where !rows.contains(candidate.row) && !columns.contains(candidate.column) {
            rows.insert(candidate.row)
            columns.insert(candidate.column)
            pairs.append((candidate.row, candidate.column))
        }
        candidates.removeAll(keepingCapacity: true)
        return pairs
    }
}
