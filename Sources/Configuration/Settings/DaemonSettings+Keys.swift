// SPDX-License-Identifier: Apache-2.0
extension DaemonSettings: KeyedTable {
    /// By table, in the order of the file.
    package static let keys = rows(
        of: Self.init(daemon:events:retention:control:workers:), daemonRow, eventRow, retentionRow, controlRow,
        workerRow)

    private static let daemonRow = SettingsRow<DaemonSettings, Daemon>.members(
        of: Daemon.init(
            pipelines:stateDirectory:modelsDirectory:stopLimit:trial:watchFiles:logLevel:logFormat:noImages:),
        // Each pipeline's file is compared by itself.
        .init(
            "daemon.pipelines", \.daemon.pipelines, .path, .live,
            "Folder of pipeline files: each *.toml in it is a pipeline."
        ),
        .init(
            "daemon.state_dir", \.daemon.stateDirectory, .file, .restart,
            "Folder of data that outlive a run: the journal on disk, snapshots."),
        .init(
            "daemon.models_dir", \.daemon.modelsDirectory, .file, .worker,
            "Folder of installed models, and of catalogue files (*.toml) of your own."),
        .init(
            "daemon.stop_limit", \.daemon.stopLimit, .duration(.milliseconds(1), to: .seconds(3600)), .live,
            "A worker that has not stopped after this time is killed."),
        .init(
            "daemon.trial", \.daemon.trial, .duration(.zero, to: .seconds(3600)), .live,
            "A pipeline that a reload changed and that does not work by then goes back to its old settings. \"0s\" is never."
        ),
        .init(
            "daemon.watch_files", \.daemon.watchFiles, .boolean, .live,
            "Whether the daemon reloads by itself when a configuration file changes."),
        .init(
            "daemon.log_level", \.daemon.logLevel, .choice(), .restart, "The least severe entries that the log gets."),
        .init(
            "daemon.log_format", \.daemon.logFormat, .choice(), .restart,
            "The form of the log's entries. \"auto\" is journal under systemd, and text elsewhere."),
        .init(
            "daemon.no_images", \.daemon.noImages, .boolean, .worker,
            "No picture leaves a worker: `glimpsed snapshot` is refused, and crash_dump keeps nothing."))

    private static let eventRow = SettingsRow<DaemonSettings, Events>.members(
        of: Events.init(
            socket:mode:group:queue:stallLimit:heartbeat:maxSubscribers:journalEvents:journalBytes:journalSync:
            allowUsers:allowGroups:maxPerUser:),
        .init(
            "events.socket", \.events.socket, .file, .restart,
            "The socket that subscribers connect to, at most 107 bytes."),
        .init("events.mode", \.events.mode, .fileMode, .restart, "Permissions of the socket."),
        .init(
            "events.group", \.events.group, .text, .restart, "Group that owns the socket. \"\" leaves it as it is."),
        // One line of the stream is up to 64 KiB.
        .init(
            "events.queue", \.events.queue, .byteCount(65536...(1 << 40)), .restart,
            "Bytes that may wait for one subscriber."),
        .init(
            "events.stall_limit", \.events.stallLimit, .duration, .restart,
            "A subscriber that reads nothing for this time is disconnected."),
        .init(
            "events.heartbeat", \.events.heartbeat, .duration, .restart,
            "A ping line follows after this time without any other line."),
        .init(
            "events.max_subscribers", \.events.maxSubscribers, .integer(1...1_000_000), .restart,
            "Connections at a time."),
        .init(
            "events.journal_events", \.events.journalEvents, .integer(1...100_000_000), .restart,
            "Events that the journal keeps in memory."),
        .init(
            "events.journal_bytes", \.events.journalBytes, .byteCount(65536...(1 << 40)), .restart,
            "Bytes that the journal keeps in memory. The limit that is reached first counts."),
        .init(
            "events.journal_sync", \.events.journalSync, .duration(.milliseconds(1), to: .seconds(3600)), .restart,
            "Interval between syncs of the journal on disk. A power cut can cost the events of one interval."),
        .init(
            "events.allow_users", \.events.allowUsers, .list(.nonEmptyText), .live,
            "Names or numbers of users who may subscribe, besides root and the daemon's own. With allow_groups also empty, "
                + "anybody who can connect may."),
        .init(
            "events.allow_groups", \.events.allowGroups, .list(.nonEmptyText), .live,
            "Names or numbers of groups whose members may subscribe."),
        .init(
            "events.max_per_user", \.events.maxPerUser, .integer(1...1_000_000), .live,
            "Subscribers of one user at a time."))

    private static let controlRow = SettingsRow<DaemonSettings, Control>.members(
        of: Control.init(socket:mode:group:allowUsers:allowGroups:),
        .init(
            "control.socket", \.control.socket, .file, .restart,
            "The socket for status, reload, pause and other commands, at most 107 bytes."),
        .init("control.mode", \.control.mode, .fileMode, .restart, "Permissions of the socket."),
        .init(
            "control.group", \.control.group, .text, .restart, "Group that owns the socket. \"\" leaves it as it is."),
        .init(
            "control.allow_users", \.control.allowUsers, .list(.nonEmptyText), .live,
            "Names or numbers of users who may give commands, besides root and the daemon's own."),
        .init(
            "control.allow_groups", \.control.allowGroups, .list(.nonEmptyText), .live,
            "Names or numbers of groups whose members may give commands."))

    private static let workerRow = SettingsRow<DaemonSettings, Workers>.members(
        of: Workers.init(
            restartBackoff:crashLimit:crashWindow:stallLimit:memoryLimit:threadLimit:nice:cpuWeight:cpuLimit:
            crashDump:sandbox:),
        .init(
            "workers.restart_backoff", \.workers.restartBackoff, .backoff, .live,
            "The wait before the first restart of a worker, and the longest wait."),
        .init(
            "workers.crash_limit", \.workers.crashLimit, .integer(1...1000), .live,
            "Crashes within crash_window before a pipeline is disabled."),
        .init(
            "workers.crash_window", \.workers.crashWindow, .duration, .live, "The time in which crashes are counted."),
        .init(
            "workers.stall_limit", \.workers.stallLimit, .duration(.seconds(1), to: .seconds(86_400)), .live,
            "A worker is replaced when its detector works on one frame, or its source hangs, for this time."),
        .init(
            "workers.memory_limit", \.workers.memoryLimit, .memoryLimit, .live,
            "Private memory of a worker. A worker with more is replaced. \"0\" is no limit."),
        .init(
            "workers.thread_limit", \.workers.threadLimit, .zeroIsNone(.integer(0...100_000)), .live,
            "Threads of a worker. A worker with more is replaced. 0 is no limit."),
        .init(
            "workers.nice", \.workers.nice, .integer(0...19), .worker,
            "Niceness of workers above that of the daemon."),
        .init(
            "workers.cpu_weight", \.workers.cpuWeight, .zeroIsNone(.integer(0...10_000)), .worker,
            "A worker's share of the processors when they are short, where 100 is usual. Needs a control group (cgroup v2) of "
                + "the daemon's own. 0 leaves it."),
        .init(
            "workers.cpu_limit", \.workers.cpuLimit, .zeroIsNone(.number(0...1024)), .worker,
            "Processors whose time a worker may take at most, such as 1.5. Needs such a control group. 0 is no limit."),
        .init(
            "workers.crash_dump", \.workers.crashDump, .boolean, .worker,
            "Whether the last frames before a worker's crash are kept under state_dir/crashes."),
        .init(
            "workers.sandbox", \.workers.sandbox, .choice(), .worker,
            "Whether workers give up files, sockets and system calls that they do not need, as far as the kernel can."))
}

extension ValueFormat<UInt32> {
    /// Permission bits as a string of three or four octal digits.
    static var fileMode: Self {
        let write = { @Sendable (mode: UInt32) in
            let digits = String(mode, radix: 8)
            return TOMLNode.string(String(repeating: "0", count: max(0, 4 - digits.count)) + digits)
        }
        return .init("permissions, octal", write) { node throws(ValueProblem) in
            let expected = "permissions as octal digits such as \"0660\""
            guard case .string(let text) = node else { throw .wrongType(expected, node) }
            let isOctal = (3...4).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x37).contains($0) }
            guard isOctal, let mode = UInt32(text, radix: 8), mode <= 0o777 else {
                throw .init("must be \(expected), not \(quoted(text))")
            }
            return mode
        }
    }
}

extension ValueFormat<Int?> {
    /// Empty = none, on disk.
    static var diskLimit: Self {
        let write = { @Sendable (limit: Int?) in TOMLNode.string(limit.map(Units.text(byteCount:)) ?? "") }
        return .init("bytes, 1MiB or more, or \"\"", write) { node throws(ValueProblem) in
            if case .string("") = node { return nil }
            let count = try ValueFormat<Int>.byteCount(0...(1 << 50)).read(node)
            guard count == 0 || count >= 1 << 20 else { throw .init("must be \"\" or at least 1MiB") }
            return count == 0 ? nil : count
        }
    }

    /// 0 = none. Less than a mebibyte is a unit forgotten.
    static var memoryLimit: Self {
        ValueFormat<Int>.byteCount().map("bytes, 1MiB or more, or \"0\"", back: { $0 ?? 0 }) {
            count throws(ValueProblem) in
            guard count == 0 || count >= 1 << 20 else { throw .init("must be \"0\" (none) or at least 1MiB") }
            return count == 0 ? nil : count
        }
    }
}

extension ValueFormat {
    /// A limit of 0 is none.
    static func zeroIsNone<Number: Numeric & SendableMetatype>(_ number: ValueFormat<Number>) -> Self
    where Value == Number? {
        number.map(back: { $0 ?? 0 }) { $0 == 0 ? nil : $0 }
    }
}

extension ValueFormat<DaemonSettings.Backoff> {
    /// `[initial, limit]`
    static var backoff: Self {
        let back = { @Sendable (backoff: DaemonSettings.Backoff) in [backoff.initial, backoff.limit] }
        return ValueFormat<[Duration]>.list(.duration).map("[duration, duration]", back: back) {
            durations throws(ValueProblem) in
            guard durations.count == 2 else {
                throw .init("must be two durations, [first, longest], not \(durations.count)")
            }
            guard durations[0] <= durations[1] else { throw .init("must begin with the shorter of the two") }
            return DaemonSettings.Backoff(initial: durations[0], limit: durations[1])
        }
    }
}
