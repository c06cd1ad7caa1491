// SPDX-License-Identifier: Apache-2.0
/// The relay's own file, `relay.toml`.
package struct RelaySettings: Sendable, Equatable {
    /// The daemon's event socket.
    package var events = "/run/glimpsed/events.sock"
    /// The daemon's control socket, for `pictures`.
    package var daemonControl = "/run/glimpsed/control.sock"
    /// The socket that answers with the relay's state.
    package var control = "/run/glimpsed-relay/control.sock"
    /// The folder of the cursors.
    package var stateDirectory = "/var/lib/glimpsed-relay"
    /// This machine's name in topics; empty: the name of the host.
    package var box = ""
    package var brokers: [MQTTSettings] = []
    package var webhooks: [WebhookSettings] = []

    package static let standard = Self()

    package static let defaultFile = "/etc/glimpsed/relay.toml"

    /// Reads `relay.toml`. Throws every problem of the file at once; a file of more than 1 MiB is refused.
    package static func load(file: String) throws(ConfigurationErrors) -> RelaySettings {
        try parse(bytes: BoundedFile.bytes(of: file), file: file)
    }

    /// - Parameter file: the name in errors, and the place where relative paths start.
    package static func parse(bytes: [UInt8], file: String? = nil) throws(ConfigurationErrors) -> RelaySettings {
        let reader = try TOMLDocument(bytes, file: file).reader
        var settings = RelaySettings()
        settings.decode(reader)
        var names = Set<String>()
        func check<Table: DestinationSettings>(_ destination: Table, _ table: TableReader) -> Table {
            if !destination.name.isEmpty, !names.insert(destination.name).inserted {
                table.report("name", "name \(quoted(destination.name)) is another destination's too")
            }
            return destination
        }
        settings.brokers = reader.tables("mqtt").map { check(MQTTSettings($0), $0) }
        settings.webhooks = reader.tables("webhook").map { check(WebhookSettings($0), $0) }
        if !reader.has("mqtt"), !reader.has("webhook") {
            reader.report(
                "mqtt", "there is no destination", suggestion: "add [[mqtt]] or [[webhook]] with name and url")
        }
        let sockets = [
            ("events", settings.events), ("daemon_control", settings.daemonControl), ("control", settings.control),
        ]
        for (key, path) in sockets where path.utf8.count > 107 {
            reader.report(key, "\(key) must be at most 107 bytes, not \(path.utf8.count)")
        }
        reader.finish()
        try reader.context.throwIfAny()
        return settings
    }
}

extension RelaySettings: KeyedTable {
    package static let keys = rows(
        of: Self.init(events:daemonControl:control:stateDirectory:box:brokers:webhooks:),
        .init("events", \.events, .file, .restart, "the daemon's event socket"),
        .init(
            "daemon_control", \.daemonControl, .file, .restart, "the daemon's control socket, for `pictures`"),
        .init("control", \.control, .file, .restart, "the socket that answers with the relay's state"),
        .init("state_dir", \.stateDirectory, .file, .restart, "the folder of the cursors"),
        .init(
            "box", \.box, .boxName, .restart, "this machine's name in topics; `\"\"`: the name of the host"),
        .noKey, .noKey)
}

extension ValueFormat<String> {
    fileprivate static var boxName: Self {
        let name = destinationName
        return text.checked(name.values) { text throws(ValueProblem) in
            if !text.isEmpty { _ = try name.read(.string(text)) }
        }
    }
}
