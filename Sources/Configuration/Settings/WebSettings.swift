// SPDX-License-Identifier: Apache-2.0
/// The page's own file, `web.toml`.
package struct WebSettings: Sendable, Equatable {
    package var listen = ListenAddress.network(host: "127.0.0.1", port: 8420)
    /// The daemon's event socket.
    package var events = "/run/glimpsed/events.sock"
    /// The daemon's control socket.
    package var control = "/run/glimpsed/control.sock"
    /// The socket on which `glimpsed web open` asks for a link.
    package var links = "/run/glimpsed-web/control.sock"
    /// The token of every request; nil: none.
    package var token: PasswordSource?
    /// Names, in addition to those of this machine, by which browsers may reach the page.
    package var allowedHosts: [String] = []
    package var maximumViewers = 32
    /// Pictures a second of each camera.
    package var maximumRate = 15
    /// Pixels.
    package var maximumWidth = 1280
    /// Whether those with the token may give commands.
    package var commands = false

    package static let standard = Self()

    package static let defaultFile = "/etc/glimpsed/web.toml"

    /// Reads the text of `web.toml`.
    ///
    /// - Parameters:
    ///   - file: the name in errors, and the place where relative paths start.
    ///   - listen: replaces the file's `listen`.
    /// - Throws: every problem of the text at once.
    package static func parse(
        bytes: [UInt8], file: String? = nil, listen: ListenAddress? = nil
    ) throws(ConfigurationErrors) -> WebSettings {
        let reader = try TOMLDocument(bytes, file: file).reader
        var settings = WebSettings()
        settings.decode(reader)
        if let listen { settings.listen = listen }
        _ = PasswordSource.check(reader, "token")
        if settings.token == nil, !settings.listen.isLocal {
            reader.report(
                "listen", "listen = \(quoted(settings.listen.text)) is open to other machines and needs a token",
                suggestion: "add token_file, or listen on 127.0.0.1")
        }
        if settings.token == nil, settings.commands {
            reader.report("commands", "commands need a token", suggestion: "add token_file")
        }
        reader.finish(hints: [
            "token": "a token does not stand in this file: use token_file, token_env or token_credential"
        ])
        try reader.context.throwIfAny()
        return settings
    }
}

extension WebSettings: KeyedTable {
    package static let keys = rows(
        of: Self.init(listen:events:control:links:token:allowedHosts:maximumViewers:maximumRate:maximumWidth:commands:),
        .init(
            "listen", \.listen, .listenAddress, .restart,
            "the page's address; any but the loopback and a Unix socket needs a token"),
        .init("events", \.events, .file, .restart, "the daemon's event socket"),
        .init("control", \.control, .file, .restart, "the daemon's control socket"),
        .init("links", \.links, .file, .restart, "the socket on which `glimpsed web open` asks for a link"),
        .secret("token", \.token, .restart),
        .init(
            "allowed_hosts", \.allowedHosts, .hosts, .restart,
            "further names of the page, such as a reverse proxy's; an address is always allowed"),
        .init(
            "max_viewers", \.maximumViewers, .integer(1...32), .restart,
            "streams of pictures at a time, and as many streams of events"),
        .init("max_rate", \.maximumRate, .integer(1...30), .restart, "pictures a second of each camera"),
        .init("max_width", \.maximumWidth, .integer(320...1280), .restart, "the highest width of pictures"),
        .init(
            "commands", \.commands, .boolean, .restart,
            "whether users with the token may pause, resume, restart and focus pipelines and take snapshots"))
}

extension ValueFormat<[String]> {
    fileprivate static var hosts: Self {
        list(.nonEmptyText).checked("list of names") { hosts throws(ValueProblem) in
            guard hosts.count <= 64, hosts.allSatisfy({ $0.utf8.count <= 253 }) else {
                throw .init("must be at most 64 names of at most 253 bytes")
            }
            for (index, host) in hosts.enumerated() where host.contains(where: { "/@?# ".contains($0) }) {
                var problem = ValueProblem("must be a name such as glimpse.lan, not \(quoted(host))")
                problem.element = index
                throw problem
            }
        }
    }
}

extension ValueFormat<ListenAddress> {
    fileprivate static var listenAddress: Self {
        .init("`HOST:PORT` or `unix:PATH`", { .string($0.text) }) { node throws(ValueProblem) in
            guard case .string(let text) = node else { throw .wrongType("a string", node) }
            guard let address = ListenAddress(text) else {
                throw .init(
                    "must be an address and a port, or unix: and an absolute path, not \(quoted(text))",
                    suggestion: #"such as "127.0.0.1:8420" or "unix:/run/glimpsed-web/web.sock""#)
            }
            return address
        }
    }
}
