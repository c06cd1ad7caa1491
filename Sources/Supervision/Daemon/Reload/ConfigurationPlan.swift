// SPDX-License-Identifier: Apache-2.0
import Settings

/// The difference between two configurations. The type is pure.
struct ConfigurationPlan: Sendable, Equatable {
    struct Change: Sendable, Equatable {
        var name: String
        /// The dotted keys of the pipeline's file, or of the daemon's file.
        var keys: [String]
        var means: Means
    }

    /// The way in which a change reaches a pipeline.
    enum Means: String, Sendable {
        /// The running worker applies the change and keeps its tracks.
        case sameWorker = "same_worker"
        /// A new worker replaces the running one.
        case newWorker = "new_worker"
    }

    /// Names in ascending order, as in the next three lists.
    var added: [String] = []
    var removed: [String] = []
    var changed: [Change] = []
    var unchanged: [String] = []
    /// Keys of the daemon's file that are applied at once.
    var applied: [String] = []
    /// Keys of the daemon's file that take effect when the daemon is restarted.
    var needsRestart: [String] = []
    /// The configuration after the plan is carried out.
    private(set) var result: Configuration

    init(from old: Configuration, to new: Configuration) {
        result = old
        var workerKeys: [String] = []
        for key in DaemonSettings.keys where key.differs(old.daemon, new.daemon) {
            switch key.change {
            case .live: applied.append(key.name)
            case .detector, .worker: workerKeys.append(key.name)
            case .restart: needsRestart.append(key.name)
            }
            if key.change != .restart { key.adopt(&result.daemon, new.daemon) }
        }
        result.pipelines = new.pipelines
        for name in Set(old.pipelines.keys).union(new.pipelines.keys).sorted() {
            switch (old.pipelines[name], new.pipelines[name]) {
            case (nil, _): added.append(name)
            case (_, nil): removed.append(name)
            case (let before?, let after?):
                let keys = after.meansTheSame(as: before) ? [] : after.keys(changedSince: before)
                if after.meansTheSame(as: before), workerKeys.isEmpty {
                    unchanged.append(name)
                } else {
                    let isTakenOver = workerKeys.isEmpty && before.settings.takeOver(after.settings) != nil
                    changed.append(
                        Change(name: name, keys: keys + workerKeys, means: isTakenOver ? .sameWorker : .newWorker))
                }
            }
        }
    }

    /// Whether the plan has no changes to carry out.
    var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty && applied.isEmpty }

    /// The names of all added, removed and changed pipelines.
    var affected: [String] { (added + removed + changed.map(\.name)).sorted() }
}
