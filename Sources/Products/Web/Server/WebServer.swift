// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseClient
import Hummingbird
import Installation
import LogSupport
import Logging
import NIOCore
import NIOPosix
import ServiceManager
import Settings
import UnixSignals
import UnixSocket

/// The running page: all its sockets, until SIGTERM or SIGINT.
package struct WebServer: Sendable {
    /// The reason why the page cannot be served.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
        /// Whether the configuration is the reason.
        package let isConfiguration: Bool
    }

    /// The name of the socket that systemd passes.
    package static let socketName = "web"

    private let settings: WebSettings
    private let server: String
    private let sessions: Sessions
    private let files: PageFiles
    private let log: ProgramLog

    /// - Parameters:
    ///   - server: the program and its version.
    ///   - page: the folder of the page's files; nil: the installed one.
    package init(
        _ settings: WebSettings, server: String, page: String? = nil, log: ProgramLog
    ) throws(Failure) {
        self.settings = settings
        self.server = server
        self.log = log
        guard let folder = page ?? ResourceFolders.ofThisProcess().pageFolder else {
            throw Failure(
                description: "the page's files are not installed; name their folder with --page", isConfiguration: true)
        }
        do throws(PageFiles.Missing) {
            files = try PageFiles(folder: folder)
        } catch {
            throw Failure(description: error.description, isConfiguration: true)
        }
        sessions = Sessions(token: try Self.token(settings))
    }

    /// Answers all requests in one thread of the process, so that a flood of them leaves processors to the pipelines.
    /// Streams have threads of their own. Call it before the first use of an event loop.
    package static func useOneEventLoop() { NIOSingletons.groupLoopCountSuggestion = 1 }

    /// - Throws: `Failure` if the page cannot be served.
    package func run() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        signal(SIGPIPE, SIG_IGN)
        let watch = EventSocketWatch()
        let listener = WebListener(responder: responder(watch), log: log)
        var passed = PassedSockets.take(networkNames: [Self.socketName])
        for warning in passed.warnings { log(.warning, warning) }
        let server = try await listener.bind(settings.listen, passed: passed.take(Self.socketName), group)
        guard sessions.needsToken || Self.isLocal(server.channel.localAddress) else {
            throw Failure(
                description:
                    "the socket from systemd is open to other machines and needs a token; add token_file",
                isConfiguration: true)
        }
        let place = server.channel.localAddress.flatMap(Self.text) ?? settings.listen.text
        log(.notice, "the page is at \(place)\(sessions.needsToken ? "; for a link run: glimpsed web open" : "")")
        let links = openLinks(place)
        defer { links?.close() }
        NotifySocket()?.send(.ready(status: "the page is at \(place)"))
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await watch.run(socket: settings.events) }
            tasks.addTask { await listener.serve(server) }
            for await _ in await UnixSignalsSequence(trapping: .sigterm, .sigint) { break }
            tasks.cancelAll()
            server.channel.close(promise: nil)
        }
    }

    private func openLinks(_ place: String) -> LinkSocket? {
        let sessions = sessions
        do {
            return try LinkSocket(path: settings.links, log: log) {
                sessions.needsToken ? "\(place)\(AccessPolicy.linkPath)?code=\(sessions.makeLink())" : "\(place)/"
            }
        } catch {
            log(.warning, "glimpsed web open has no socket: \(error)")
            return nil
        }
    }

    func responder(_ watch: EventSocketWatch) -> WebResponder {
        let control = ControlClient(path: settings.control)
        let pipelines = PipelineRoutes(control: control, allowsCommands: settings.commands)
        let viewers = Places(settings.maximumViewers)
        let pictures = PictureRoutes(
            control: control, pipelines: pipelines, viewers: viewers, mostRate: settings.maximumRate,
            mostWidth: settings.maximumWidth)
        let clips = ClipRoutes(control: control, viewers: viewers)
        let wall = WallRoute(
            control: control, viewers: viewers, mostRate: settings.maximumRate, mostWidth: settings.maximumWidth)
        let events = EventRoute(socket: settings.events, viewers: Places(settings.maximumViewers))
        let history = HistoryRoutes(control: control)
        let metrics = MetricsRoute(control: control)
        let health = HealthRoute(server: server, watch: watch)
        let page = PageRoutes(files: files, sessions: sessions, watch: watch)

        let router = Router(context: WebContext.self)
        router.get("/healthz") { _, _ in page.health() }
        router.get("/login") { request, _ in page.logIn(request) }
        router.get("/metrics") { request, _ in try await metrics.respond(to: request) }
        router.get("/api/health") { _, _ in await health.respond() }
        router.get("/api/pipelines") { _, _ in try await pipelines.list() }
        router.get("/api/history") { request, _ in try await history.list(request) }
        router.get("/api/history/{id}/picture.jpg") { try await history.picture($1) }
        router.get("/api/clips") { request, _ in try await clips.list(request) }
        router.get("/api/clips/{pipeline}/{file}") { try await clips.file($0, $1) }
        router.get("/api/events") { request, _ in events.respond(to: request) }
        router.get("/api/pictures") { try wall.respond(to: $0, $1) }
        router.get("/api/pipelines/{name}/picture.jpg") { try await pictures.picture($0, $1) }
        router.get("/api/pipelines/{name}/stream") { try await pictures.stream($0, $1) }
        router.post("/api/pipelines/{name}/{command}") { try await pipelines.command($0, $1) }
        router.get("/") { request, _ in page.file(request) }
        router.get("**") { request, _ in page.file(request) }
        let policy = AccessPolicy(
            machine: Self.hostName, allowedHosts: settings.allowedHosts, needsToken: sessions.needsToken)
        return WebResponder(gate: Gate(policy: policy, sessions: sessions), router: router.buildResponder())
    }

    private static func token(_ settings: WebSettings) throws(Failure) -> String? {
        guard let source = settings.token else { return nil }
        if let path = source.openFile {
            throw Failure(
                description: "token file \(path): others may read it; run: chmod o= \(path)", isConfiguration: true)
        }
        do throws(PasswordProblem) {
            let token = try source.read("token", of: "the page", place: .page) { name in
                getenv(name).map { String(cString: $0) }
            }
            if token.utf8.count >= 16 { return token }
        } catch {
            throw Failure(description: error.description, isConfiguration: true)
        }
        throw Failure(
            description: "the token has fewer than 16 characters; make one with: openssl rand -hex 32",
            isConfiguration: true)
    }

    private static func isLocal(_ address: SocketAddress?) -> Bool {
        guard let host = address?.ipAddress else { return true }
        return host == "::1" || host.hasPrefix("127.")
    }

    private static func text(_ address: SocketAddress) -> String? {
        guard let host = address.ipAddress, let port = address.port else { return nil }
        let name = ["0.0.0.0", "::"].contains(host) ? hostName : host.contains(":") ? "[\(host)]" : host
        return "http://\(name):\(port)"
    }

    private static var hostName: String {
        var buffer = [CChar](repeating: 0, count: 256)
        gethostname(&buffer, buffer.count - 1)
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
