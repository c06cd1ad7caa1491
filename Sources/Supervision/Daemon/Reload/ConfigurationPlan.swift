import Settings

/// What a new configuration changes. Pure: two configurations in, the difference out.
struct ConfigurationPlan: Sendable, Equatable {
    struct Change: Sendable, Equatable {
        var name: String
        /// Dotted keys of the pipeline's file, or of the daemon's.
        var keys: [String]
        var means: Means
    }

    /// How a change reaches a pipeline.
    enum Means: String, Sendable {
        /// The worker that runs takes it over and keeps its tracks.
        case sameWorker = "same_worker"
        /// Another worker in place of the one that runs.
        case newWorker = "new_worker"
    }

    /// Names, in order, as in all of these.
    var added: [String] = []
    var removed: [String] = []
    var changed: [Change] = []
    var unchanged: [String] = []
    /// Keys of the daemon's file that are taken over at once.
    var applied: [String] = []
    /// Keys of the daemon's file that stay as they are until the daemon is started again.
    var needsRestart: [String] = []
    /// The configuration that there is once the plan is carried out.
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

    /// Nothing is to be done.
    var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty && applied.isEmpty }

    /// Every pipeline that is not what it was.
    var affected: [String] { (added + removed + changed.map(\.name)).sorted() }
}
