// SPDX-License-Identifier: Apache-2.0
import ControlSocket
import JSONLines
import Settings

extension ControlReply {
    /// The reply to a reload, or to a dry run.
    init(_ outcome: Reloader.Outcome, dryRun: Bool) {
        switch outcome {
        case .refused(let problems):
            let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
            self = .failed("\(count): the old configuration stays") { json in
                json.array("problems") { json in for problem in problems.prefix(100) { problem.encode(to: &json) } }
            }
        case .planned(let plan, let revision):
            self = .done { json in
                if dryRun { json.member("dry_run", true) }
                json.member("revision", revision)
                plan.encode(to: &json)
            }
        }
    }
}

extension ConfigurationError {
    fileprivate func encode(to json: inout JSONWriter) {
        json.object { json in
            if let file { json.member("file", file) }
            if let line { json.member("line", line) }
            if !key.isEmpty { json.member("key", key) }
            json.member("problem", problem)
            if let suggestion { json.member("suggestion", suggestion) }
            json.member("text", description)
        }
    }
}

extension ConfigurationPlan {
    fileprivate func encode(to json: inout JSONWriter) {
        Self.encode("added", added, to: &json)
        Self.encode("removed", removed, to: &json)
        json.array("changed") { json in
            for change in changed {
                json.object { json in
                    json.member("pipeline", change.name)
                    Self.encode("keys", change.keys, to: &json)
                    json.member("means", change.means.rawValue)
                }
            }
        }
        Self.encode("unchanged", unchanged, to: &json)
        Self.encode("applied", applied, to: &json)
        Self.encode("restart_needed", needsRestart, to: &json)
    }

    private static func encode(_ key: StaticString, _ names: [String], to json: inout JSONWriter) {
        json.array(key) { json in for name in names { json.element(name) } }
    }
}
