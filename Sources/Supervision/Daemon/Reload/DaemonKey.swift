import Settings

/// One key of the daemon's file, and what becomes of a new value while the daemon runs.
struct DaemonKey: Sendable {
    enum Effect: Sendable, Equatable {
        /// Taken over at once.
        case applied
        /// Goes into the workers' configuration: every pipeline is replaced.
        case workers
        /// Stays as it is until the daemon is started again.
        case restart
    }

    let name: String
    let effect: Effect
    let differs: @Sendable (DaemonSettings, DaemonSettings) -> Bool
    /// Takes the key's value from the second settings into the first.
    let adopt: @Sendable (inout DaemonSettings, DaemonSettings) -> Void

    private init<Value: Equatable & SendableMetatype>(
        _ name: String, _ effect: Effect, _ path: any WritableKeyPath<DaemonSettings, Value> & Sendable
    ) {
        self.name = name
        self.effect = effect
        differs = { $0[keyPath: path] != $1[keyPath: path] }
        adopt = { $0[keyPath: path] = $1[keyPath: path] }
    }

    /// All of them.
    static let all: [DaemonKey] = [
        // Which files there are is seen pipeline by pipeline.
        .init("daemon.pipelines", .applied, \.daemon.pipelines),
        .init("daemon.state_dir", .restart, \.daemon.stateDirectory),
        .init("daemon.models_dir", .workers, \.daemon.modelsDirectory),
        .init("daemon.stop_limit", .applied, \.daemon.stopLimit),
        .init("daemon.trial", .applied, \.daemon.trial),
        .init("daemon.watch_files", .applied, \.daemon.watchFiles),
        .init("daemon.log_level", .restart, \.daemon.logLevel),
        .init("daemon.log_format", .restart, \.daemon.logFormat),
        .init("daemon.no_images", .workers, \.daemon.noImages),
        .init("events.socket", .restart, \.events.socket),
        .init("events.mode", .restart, \.events.mode),
        .init("events.group", .restart, \.events.group),
        .init("events.queue", .restart, \.events.queue),
        .init("events.stall_limit", .restart, \.events.stallLimit),
        .init("events.heartbeat", .restart, \.events.heartbeat),
        .init("events.max_subscribers", .restart, \.events.maxSubscribers),
        .init("events.journal_events", .restart, \.events.journalEvents),
        .init("events.journal_bytes", .restart, \.events.journalBytes),
        .init("events.journal_disk", .restart, \.events.journalDisk),
        .init("events.journal_sync", .restart, \.events.journalSync),
        .init("events.journal_age", .restart, \.events.journalAge),
        .init("events.history_age", .restart, \.events.historyAge),
        .init("events.allow_users", .applied, \.events.allowUsers),
        .init("events.allow_groups", .applied, \.events.allowGroups),
        .init("events.max_per_user", .applied, \.events.maxPerUser),
        .init("control.socket", .restart, \.control.socket),
        .init("control.mode", .restart, \.control.mode),
        .init("control.group", .restart, \.control.group),
        .init("control.allow_users", .applied, \.control.allowUsers),
        .init("control.allow_groups", .applied, \.control.allowGroups),
        .init("workers.restart_backoff", .applied, \.workers.restartBackoff),
        .init("workers.crash_limit", .applied, \.workers.crashLimit),
        .init("workers.crash_window", .applied, \.workers.crashWindow),
        .init("workers.stall_limit", .applied, \.workers.stallLimit),
        .init("workers.memory_limit", .applied, \.workers.memoryLimit),
        .init("workers.thread_limit", .applied, \.workers.threadLimit),
        .init("workers.nice", .workers, \.workers.nice),
        .init("workers.cpu_weight", .workers, \.workers.cpuWeight),
        .init("workers.cpu_limit", .workers, \.workers.cpuLimit),
        .init("workers.crash_dump", .workers, \.workers.crashDump),
        .init("workers.sandbox", .workers, \.workers.sandbox),
    ]
}
