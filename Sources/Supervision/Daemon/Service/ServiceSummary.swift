// SPDX-License-Identifier: Apache-2.0
/// The daemon's state in one line for `systemctl status`: "3 pipelines: 2 running, 1 retrying (gate: connection
/// refused); 4 subscribers".
struct ServiceSummary: Equatable {
    struct Pipeline: Equatable {
        var name: String
        /// From the newest `source` line.
        var state: String
        /// The names of detectors that are not operational.
        var failedDetectors: [String] = []
        var error: String?
    }

    var pipelines: [Pipeline]
    var subscribers: Int

    var text: String {
        let count = pipelines.count == 1 ? "1 pipeline" : "\(pipelines.count) pipelines"
        let readers = subscribers == 1 ? "1 subscriber" : "\(subscribers) subscribers"
        guard !pipelines.isEmpty else { return "no pipelines; \(readers)" }
        var counts: [(word: String, count: Int)] = []
        for pipeline in pipelines {
            let word = pipeline.word
            if let index = counts.firstIndex(where: { $0.word == word }) {
                counts[index].count += 1
            } else {
                counts.append((word, 1))
            }
        }
        counts.sort { ($0.word == "running" ? 0 : 1, $0.word) < ($1.word == "running" ? 0 : 1, $1.word) }
        var text = "\(count): " + counts.map { "\($0.count) \($0.word)" }.joined(separator: ", ")
        if let trouble = pipelines.lazy.compactMap(\.trouble).first { text += " (\(trouble))" }
        return text + "; \(readers)"
    }
}

extension ServiceSummary.Pipeline {
    fileprivate var word: String {
        switch state {
        case "connected", "idle": failedDetectors.isEmpty ? "running" : "running in part"
        default: state
        }
    }

    /// A description of the pipeline's problem; nil if it has none.
    fileprivate var trouble: String? {
        if ["connected", "idle"].contains(state), let detector = failedDetectors.first {
            return "\(name): \(detector) does not work"
        }
        guard ["stalled", "lost", "retrying", "disabled"].contains(state) else { return nil }
        return error.map { "\(name): \($0.prefix(Self.longestError))" } ?? name
    }

    private static let longestError = 120
}
