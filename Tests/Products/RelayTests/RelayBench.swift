// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

/// The built daemon with scripted workers, the built relay, and Debian's mosquitto, in a temporary folder.
final class RelayBench {
    let scope = TestScope()
    let port: Int
    private(set) var daemon: RunningProgram?
    private(set) var broker: RunningProgram?
    private(set) var relay: RunningProgram?

    init() {
        port = Self.freePort()
        scope.write(
            "config.toml",
            """
            [daemon]
            state_dir = "state"
            [events]
            socket = "e.sock"
            group = ""
            [retention]
            events = ["7d", "64MiB"]
            [control]
            socket = "c.sock"
            group = ""
            [workers]
            crash_limit = 1000
            """)
        // The broker keeps sessions and queues over a kill, and has no limit that would leave messages in its queue.
        scope.write(
            "broker.conf",
            """
            listener \(port) 127.0.0.1
            allow_anonymous true
            user root
            persistence true
            persistence_location \(scope.path(""))
            autosave_on_changes true
            autosave_interval 1
            max_inflight_messages 0
            max_queued_messages 0
            """)
        mkdir(scope.path("relay"), 0o755)
    }

    func write(_ pipeline: String, _ script: String, settings: String = "", more: String = "") {
        let commands = script.split(separator: "; ").map { "# script: \($0)\n" }.joined()
        scope.write("pipelines/\(pipeline).toml", "\(commands)[source]\nkind = \"test\"\n\(settings)\n[face]\n\(more)")
    }

    /// - Parameters:
    ///   - destination: more lines of `[[mqtt]]`.
    ///   - more: more lines of the file.
    func configure(_ destination: String, more: String = "") {
        scope.write(
            "relay.toml",
            """
            events = "e.sock"
            control = "r.sock"
            state_dir = "relay"
            box = "hall"
            \(more)
            [[mqtt]]
            name = "home"
            url = "mqtt://127.0.0.1:\(port)"
            \(destination)
            """)
    }

    func runDaemon() {
        daemon = RunningProgram(
            Program.built("glimpsed"), ["run", "--config", scope.path("config.toml")],
            environment: ["GLIMPSED_WORKER": Program.built("ScriptedWorker")])
    }

    /// Starts the broker and waits until it takes connections: a consumer gives up otherwise.
    func runBroker() async {
        broker = RunningProgram("mosquitto", ["-c", scope.path("broker.conf")])
        let isUp = await holds { isListening }
        #expect(isUp, "\(broker?.errors ?? "")")
    }

    private var isListening: Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = Self.loopback(port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    func runRelay() { relay = RunningProgram(Program.built("glimpsed-relay"), ["--config", scope.path("relay.toml")]) }

    /// The lines that a command of the daemon prints about itself and the relay, for people or for programs.
    func ask(_ command: String) -> [String] {
        let result = Program.run(
            Program.built("glimpsed"),
            [command, "--socket", scope.path("c.sock"), "--relay-socket", scope.path("r.sock")])
        return result.lines + result.errors.split(separator: "\n").map(String.init)
    }

    /// Kills a program with SIGKILL, and waits for its end.
    func kill(_ program: RunningProgram?) {
        program?.send(SIGKILL)
        _ = program?.finish()
    }

    /// A consumer whose session the broker keeps. It writes a payload a line to the file of its name.
    func consume(_ topic: String, id: String) -> RunningProgram {
        RunningProgram(
            "sh",
            ["-c", "exec mosquitto_sub -p \(port) -q 1 -c -i \(id) -k 5 -t \(topic) -F %p > \(scope.path(id))"])
    }

    /// The size of a consumer's file.
    func size(_ id: String) -> Int {
        var status = stat()
        return stat(scope.path(id), &status) == 0 ? Int(status.st_size) : 0
    }

    /// The complete lines of a consumer's file.
    func lines(_ id: String) -> [Substring] {
        guard let bytes = try? TestFile.read(scope.path(id)) else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { $0.hasSuffix("}") }
    }

    /// The broker's retained messages by topic.
    func retained(_ topics: String = "glimpse/#") -> [String: String] {
        let result = Program.run(
            "mosquitto_sub", ["-p", "\(port)", "-t", topics, "-v", "--retained-only", "-W", "1"])
        return Dictionary(
            result.lines.compactMap { line in
                line.firstIndex(of: " ").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
            }, uniquingKeysWith: { $1 })
    }

    private static func freePort() -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                if bind(descriptor, pointer, length) == 0 { getsockname(descriptor, pointer, &length) }
            }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

/// An event as a consumer sees it.
struct ReceivedEvent: Hashable {
    let run: Substring
    let sequence: UInt64

    /// nil: the line has no position.
    init?(_ payload: Substring) {
        guard let number = payload.firstRange(of: "\"seq\":"), let run = payload.firstRange(of: "\"run_id\":\""),
            let sequence = UInt64(payload[number.upperBound...].prefix { $0.isNumber })
        else { return nil }
        self.run = payload[run.upperBound...].prefix { $0 != "\"" }
        self.sequence = sequence
    }
}
