// SPDX-License-Identifier: Apache-2.0
import Settings

extension PipelineSettings {
    /// The differences between these settings and `recorded` that would change a detector's output. A tape made with
    /// `recorded` cannot show their effect. Each entry is a line for people.
    package func limitations(on recorded: PipelineSettings) -> [String] {
        runningDetectors.flatMap { detector -> [String] in
            let (name, mine) = (detector.name, detector.table)
            guard let theirs = recorded.runningDetectors.first(where: { $0.name == name })?.table else {
                return ["\(name): the tape has no detector of this name"]
            }
            var lines: [String] = []
            if !mine.sees(as: theirs) {
                lines.append(
                    "\(name): settings of the detector differ; the tape keeps the detector's output from the recording")
            }
            let (rate, tape) = (mine.common.maxRate, theirs.common.maxRate)
            if tape > 0, rate == 0 || rate > tape {
                lines.append("\(name): the tape has only \(tape) frames per second")
            }
            return lines
        }
    }
}
