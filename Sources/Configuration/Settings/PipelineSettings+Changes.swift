// SPDX-License-Identifier: Apache-2.0
extension PipelineSettings {
    /// The work of a running worker to continue with other settings.
    package struct TakeOver: Sendable, Equatable {
        /// The detectors to create anew, by their names in events. Every lane also gets its new rates and rules.
        package var detectors: Set<String> = []
    }

    /// - Returns: nil when `new` needs another worker: all of the source, name, tags, and what of the detectors is so
    ///   marked.
    package func takeOver(_ new: PipelineSettings) -> TakeOver? {
        var (rest, takeOver) = (self, TakeOver())
        rest.file = new.file
        rest.zones = new.zones
        rest.lines = new.lines
        for (index, (old, new)) in zip(detectors, new.detectors).enumerated() {
            let change = old.name == new.name ? old.table.change(to: new.table) : .worker
            if change == .detector { takeOver.detectors.insert(new.name) }
            if change != .worker { rest.detectors[index] = new }
        }
        return rest == new ? takeOver : nil
    }
}
