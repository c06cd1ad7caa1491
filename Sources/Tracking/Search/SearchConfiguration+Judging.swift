// SPDX-License-Identifier: Apache-2.0
extension SearchConfiguration {
    /// The outcome of an answer: results over the threshold, best first.
    func judge(_ answer: SearchAnswer) -> SearchOutcome {
        switch answer {
        case .failed(let failure): return .failed(failure)
        case .results(let all):
            let valid = all.filter { $0.confidence.isFinite && !$0.id.isEmpty }
            guard !valid.isEmpty else { return .noResults }
            let ordered = valid.sorted { ($1.confidence, $0.id) < ($0.confidence, $1.id) }
            let sure = ordered.filter { $0.confidence >= threshold }
            guard !sure.isEmpty else { return .lowConfidence }
            return .results(Array(sure.prefix(topOnly ? 1 : SearchLimits.results)))
        }
    }
}
