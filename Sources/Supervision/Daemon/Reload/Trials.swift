import Settings

/// Pipelines that a reload changed and that have yet to show that they work. Pure.
struct Trials: Sendable {
    enum Verdict: Sendable, Equatable {
        /// It works.
        case passed(String)
        /// It does not: back to what worked.
        case failed(String, PipelineFile)
    }

    private struct Trial {
        var old: PipelineFile
        var deadline: ContinuousClock.Instant
    }

    private var trials: [String: Trial] = [:]

    /// A pipeline that worked, as `old`, has another configuration now. One that is changed again while it is tried still goes back to what
    /// worked.
    mutating func begin(_ name: String, old: PipelineFile, until deadline: ContinuousClock.Instant) {
        trials[name] = Trial(old: trials[name]?.old ?? old, deadline: deadline)
    }

    /// It was removed, paused, or is to stay as it is.
    mutating func end(_ name: String) { trials[name] = nil }

    func isTried(_ name: String) -> Bool { trials[name] != nil }

    var isEmpty: Bool { trials.isEmpty }

    /// - Returns: verdicts on those that work and on those whose time is up, by name; they are tried no more.
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
