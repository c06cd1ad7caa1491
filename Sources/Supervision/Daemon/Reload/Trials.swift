// SPDX-License-Identifier: Apache-2.0
import Settings

/// The pipelines changed by a reload that have not shown yet that they work. The type is pure.
struct Trials: Sendable {
    enum Verdict: Sendable, Equatable {
        /// The pipeline works.
        case passed(String)
        /// The pipeline does not work: restore the settings that worked.
        case failed(String, PipelineFile)
    }

    private struct Trial {
        var old: PipelineFile
        var deadline: ContinuousClock.Instant
    }

    private var trials: [String: Trial] = [:]

    /// Begins a trial of a pipeline that worked with the settings `old`. A pipeline changed again during its trial
    /// still goes back to the settings that worked.
    mutating func begin(_ name: String, old: PipelineFile, until deadline: ContinuousClock.Instant) {
        trials[name] = Trial(old: trials[name]?.old ?? old, deadline: deadline)
    }

    /// Ends a trial, because the pipeline was removed or paused, or because it keeps its settings.
    mutating func end(_ name: String) { trials[name] = nil }

    func isTried(_ name: String) -> Bool { trials[name] != nil }

    var isEmpty: Bool { trials.isEmpty }

    /// - Returns: the verdicts on pipelines that work and on those whose time is up, sorted by name. Their trials end.
    mutating func check(at now: ContinuousClock.Instant, isOperational: (String) -> Bool) -> [Verdict] {
        var verdicts: [Verdict] = []
        for (name, trial) in trials.sorted(by: { $0.key < $1.key }) {
            if isOperational(name) {
                verdicts.append(.passed(name))
            } else if now >= trial.deadline {
                verdicts.append(.failed(name, trial.old))
            } else {
                continue
            }
            trials[name] = nil
        }
        return verdicts
    }
}
