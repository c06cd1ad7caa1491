// SPDX-License-Identifier: Apache-2.0
/// `did you mean "width"?` for the candidate that is the fewest edits away. nil if no candidate is near. A near one is
/// at most a third of the longer word's characters away, or one character.
package func didYouMean(_ word: String, among candidates: some Sequence<String>) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    let nearest =
        candidates
        .map { (candidate: $0, distance: editDistance(word.lowercased(), $0)) }
        .filter { $0.distance <= max(1, max(word.count, $0.candidate.count) / 3) }
        .min { ($0.distance, $0.candidate) < ($1.distance, $1.candidate) }
    return nearest.map { "did you mean \"\($0.candidate)\"?" }
}

/// Insertions, deletions, substitutions and swaps of neighbours: the optimal string alignment distance.
func editDistance(_ first: String, _ second: String) -> Int {
    let a = Array(first.unicodeScalars), b = Array(second.unicodeScalars)
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
        var row = [i + 1]
        for j in b.indices {
            var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
            if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, beforeLast[j - 1] + 1) }
            row.append(best)
        }
        (beforeLast, last) = (last, row)
    }
    return last[b.count]
}
