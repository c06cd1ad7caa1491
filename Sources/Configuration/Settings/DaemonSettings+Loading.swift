extension DaemonSettings {
    /// Reads `config.toml`. Throws every problem of the file at once; a file of more than 1 MiB is refused.
    package static func load(file: String) throws(ConfigurationErrors) -> DaemonSettings {
        try parse(bytes: BoundedFile.bytes(of: file), file: file)
    }

    /// `file` is what errors call it, and where relative paths in it start.
    package static func parse(_ text: String, file: String? = nil) throws(ConfigurationErrors) -> DaemonSettings {
        try parse(bytes: Array(text.utf8), file: file)
    }

    package static func parse(bytes: [UInt8], file: String? = nil) throws(ConfigurationErrors) -> DaemonSettings {
        try read(TOMLDocument(bytes, file: file))
    }

    /// The folder of pipeline files, seen from where the daemon's file is.
    package func pipelinesFolder(configurationFile file: String) -> String {
        FilePath.folder(of: file).map { FilePath.join($0, daemon.pipelines) } ?? daemon.pipelines
    }

    static func read(_ document: TOMLDocument) throws(ConfigurationErrors) -> DaemonSettings {
        let reader = document.reader
        var settings = DaemonSettings()
        if let table = reader.table("daemon") { settings.daemon = Daemon(table) }
        if let table = reader.table("events") { settings.events = Events(table) }
        if let table = reader.table("control") { settings.control = Control(table) }
        if let table = reader.table("workers") { settings.workers = Workers(table) }
        if settings.events.socket == settings.control.socket {
            let table = reader.context.line(of: ["control", "socket"]) != nil ? "control" : "events"
            reader.context.report([table, "socket"], "socket is the same in [events] and [control]")
        }
        reader.finish()
        try reader.context.throwIfAny()
        return settings
    }
}

extension DaemonSettings.Daemon {
    fileprivate init(_ reader: TableReader) {
        reader.read("pipelines", .path, into: &pipelines)
        reader.readPath("state_dir", into: &stateDirectory)
        reader.readPath("models_dir", into: &modelsDirectory)
        reader.read("stop_limit", .duration(.milliseconds(1)...(.seconds(3600))), into: &stopLimit)
        reader.read("trial", .duration(.zero...(.seconds(3600))), into: &trial)
        reader.read("watch_files", .boolean, into: &watchFiles)
        reader.read("log_level", .choice(), into: &logLevel)
        reader.read("log_format", .choice(), into: &logFormat)
        reader.read("no_images", .boolean, into: &noImages)
        reader.finish()
    }
}

extension DaemonSettings.Events {
    fileprivate init(_ reader: TableReader) {
        reader.readSocket(into: &socket)
        reader.read("mode", .fileMode, into: &mode)
        reader.read("group", .text, into: &group)
        // One line of the stream is up to 64 KiB.
        reader.read("queue", .byteCount(65536...(1 << 40)), into: &queue)
        reader.read("stall_limit", .duration, into: &stallLimit)
        reader.read("heartbeat", .duration, into: &heartbeat)
        reader.read("max_subscribers", .integer(1...1_000_000), into: &maxSubscribers)
        reader.read("journal_events", .integer(1...100_000_000), into: &journalEvents)
        reader.read("journal_bytes", .byteCount(65536...(1 << 40)), into: &journalBytes)
        reader.read("journal_disk", .diskLimit, into: &journalDisk)
        reader.read("journal_sync", .duration(.milliseconds(1)...(.seconds(3600))), into: &journalSync)
        reader.read("journal_age", .duration(.seconds(1)...(.seconds(36_500 * 86_400))), into: &journalAge)
        reader.read("history_age", .duration(.seconds(1)...(.seconds(36_500 * 86_400))), into: &historyAge)
        reader.read("allow_users", .list(.nonEmptyText), into: &allowUsers)
        reader.read("allow_groups", .list(.nonEmptyText), into: &allowGroups)
        reader.read("max_per_user", .integer(1...1_000_000), into: &maxPerUser)
        reader.finish()
    }
}

extension DaemonSettings.Control {
    fileprivate init(_ reader: TableReader) {
        reader.readSocket(into: &socket)
        reader.read("mode", .fileMode, into: &mode)
        reader.read("group", .text, into: &group)
        reader.read("allow_users", .list(.nonEmptyText), into: &allowUsers)
        reader.read("allow_groups", .list(.nonEmptyText), into: &allowGroups)
        reader.finish()
    }
}

extension DaemonSettings.Workers {
    fileprivate init(_ reader: TableReader) {
        reader.read("restart_backoff", .backoff, into: &restartBackoff)
        reader.read("crash_limit", .integer(1...1000), into: &crashLimit)
        reader.read("crash_window", .duration, into: &crashWindow)
        reader.read("stall_limit", .duration(.seconds(1)...(.seconds(86_400))), into: &stallLimit)
        reader.read("memory_limit", .memoryLimit, into: &memoryLimit)
        reader.read("thread_limit", .zeroIsNone(.integer(0...100_000)), into: &threadLimit)
        reader.read("nice", .integer(0...19), into: &nice)
        reader.read("cpu_weight", .zeroIsNone(.integer(0...10_000)), into: &cpuWeight)
        reader.read("cpu_limit", .zeroIsNone(.number(0...1024)), into: &cpuLimit)
        reader.read("crash_dump", .boolean, into: &crashDump)
        reader.read("sandbox", .choice(), into: &sandbox)
        reader.finish()
    }
}

extension TableReader {
    fileprivate func readPath(_ key: String, into setting: inout String) {
        if let path = value(key, .path) { setting = resolve(path, key: key) }
    }

    /// The limit counts once a relative path has its folder.
    fileprivate func readSocket(into setting: inout String) {
        guard let path = value("socket", .path).map({ resolve($0, key: "socket") }) else { return }
        setting = path
        if path.utf8.count > 107 {
            report(
                "socket", "socket must be at most 107 bytes, not \(path.utf8.count)",
                suggestion: "Linux allows no longer address for a Unix socket")
        }
    }
}

extension ValueFormat<UInt32> {
    /// Permission bits as a string of three or four octal digits.
    fileprivate static var fileMode: Self {
        .init { node throws(ValueProblem) in
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
    fileprivate static var diskLimit: Self {
        .init { node throws(ValueProblem) in
            if case .string("") = node { return nil }
            let count = try ValueFormat<Int>.byteCount(0...(1 << 50)).read(node)
            guard count == 0 || count >= 1 << 20 else { throw .init("must be \"\" or at least 1MiB") }
            return count == 0 ? nil : count
        }
    }

    /// 0 = none. Less than a mebibyte is a unit forgotten.
    fileprivate static var memoryLimit: Self {
        ValueFormat<Int>.byteCount().map { count throws(ValueProblem) in
            guard count == 0 || count >= 1 << 20 else { throw .init("must be \"0\" (none) or at least 1MiB") }
            return count == 0 ? nil : count
        }
    }
}

extension ValueFormat {
    /// A limit of 0 is none.
    fileprivate static func zeroIsNone<Number: Numeric>(_ number: ValueFormat<Number>) -> Self where Value == Number? {
        number.map { $0 == 0 ? nil : $0 }
    }
}

extension ValueFormat<DaemonSettings.Backoff> {
    /// `[initial, limit]`
    fileprivate static var backoff: Self {
        ValueFormat<[Duration]>.list(.duration).map { durations throws(ValueProblem) in
            guard durations.count == 2 else {
                throw .init("must be two durations, [first, longest], not \(durations.count)")
            }
            guard durations[0] <= durations[1] else { throw .init("must not begin with the longer of the two") }
            return DaemonSettings.Backoff(initial: durations[0], limit: durations[1])
        }
    }
}
