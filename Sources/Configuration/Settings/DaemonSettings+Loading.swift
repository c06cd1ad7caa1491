// SPDX-License-Identifier: Apache-2.0
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
        var warnings: [ConfigurationError] = []
        return try read(document, &warnings)
    }

    /// - Parameter warnings: gets one entry for each deprecated key.
    static func read(
        _ document: TOMLDocument, _ warnings: inout [ConfigurationError]
    ) throws(ConfigurationErrors) -> DaemonSettings {
        let reader = document.reader
        var settings = DaemonSettings()
        for name in tables {
            guard let table = reader.table(name) else { continue }
            settings.decode(table, name)
            settings.decodeReplaced(table)
            table.finish()
        }
        settings.check(reader)
        settings.checkReplaced(reader.context)
        reader.finish()
        warnings += reader.context.warnings
        try reader.context.throwIfAny()
        return settings
    }

    /// The tables of the file, in its order.
    package static let tables = ["daemon", "events", "retention", "control", "workers"]

    /// The limit of a socket's path counts once a relative path has its folder.
    private func check(_ reader: TableReader) {
        for (table, socket) in [("events", events.socket), ("control", control.socket)] where socket.utf8.count > 107 {
            reader.context.report(
                [table, "socket"], "socket must be at most 107 bytes, not \(socket.utf8.count)",
                suggestion: "Linux allows no longer address for a Unix socket")
        }
        if events.socket == control.socket {
            let table = reader.context.line(of: ["control", "socket"]) != nil ? "control" : "events"
            reader.context.report([table, "socket"], "socket is the same in [events] and [control]")
        }
    }
}
