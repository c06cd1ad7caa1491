// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Dispatch
import FoundationEssentials
import Glibc
import Settings
import Workers

/// `glimpsed demo --web`: the daemon and the live page in a temporary folder, until SIGINT or SIGTERM.
struct WebDemo {
    let source: String
    let listen: String

    /// The wait for the page to answer.
    private static let patience = Duration.seconds(20)

    func run() throws {
        let pipeline: String
        do throws(ConfigurationError) {
            pipeline = try SourceArgument.sourceTable(source)
        } catch {
            say(error.description)
            throw ExitCode.validationFailure
        }
        let stop = DispatchSemaphore(value: 0)
        let signals = Child.stopSignals.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { stop.signal() }
            source.activate()
            return source
        }
        defer { for source in signals { source.cancel() } }

        let folder = try makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try write(
            """
            [daemon]
            state_dir = "\(folder)/state"

            [events]
            socket = "\(folder)/events.sock"
            group = ""

            [control]
            socket = "\(folder)/control.sock"
            group = ""

            [retention]
            events = ["1h", "16MiB"]
            """, to: "\(folder)/config.toml")
        try write(
            "name = \"demo\"\n\n\(pipeline)\n[face]\n\n[barcode]\n\n[snapshot]\non = [\"best\"]\n",
            to: "\(folder)/pipelines/demo.toml")

        try write("", to: "\(folder)/web.toml")

        let programs = WorkerExecutable.ownFolder()
        let daemon = try Child(
            "\(programs)/glimpsed", ["run", "--config", "\(folder)/config.toml"], log: "\(folder)/daemon.log")
        defer { daemon.end() }
        let page = try Child(
            "\(programs)/glimpsed-web",
            [
                "--config", "\(folder)/web.toml", "--listen", listen, "--events", "\(folder)/events.sock", "--control",
                "\(folder)/control.sock", "--links", "\(folder)/links.sock",
            ], log: "\(folder)/page.log")
        defer { page.end() }
        let began = ContinuousClock.now
        while !DaemonConnection.isServed("\(folder)/links.sock"), !page.hasEnded, .now - began < Self.patience {
            usleep(50_000)
        }
        if !page.hasEnded, let url = WebLink.url("\(folder)/links.sock") {
            say("the page is at \(url)\nCtrl-C ends the demo")
            while !daemon.hasEnded, !page.hasEnded {
                if stop.wait(timeout: .now() + .milliseconds(500)) == .success { return }
            }
        }
        for log in [daemon.log, page.log] { say(text(of: log)) }
        throw ExitCode.unavailable
    }

    private func makeFolder() throws -> String {
        var template = Array("/tmp/glimpsed-demo-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            say("glimpsed: cannot make a folder in /tmp: \(String(cString: strerror(errno)))")
            throw ExitCode.failed
        }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        mkdir("\(folder)/pipelines", 0o700)
        return folder
    }

    private func write(_ text: String, to path: String) throws {
        guard let file = fopen(path, "we"), fputs(text, file) >= 0, fclose(file) == 0 else {
            say("glimpsed: cannot write \(path): \(String(cString: strerror(errno)))")
            throw ExitCode.failed
        }
    }

    private func text(of path: String) -> String {
        (try? BoundedFile.bytes(of: path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

/// A program of this installation that runs beside this one.
private final class Child {
    /// The signals that end the demo. This process ignores them, and its children do not.
    static let stopSignals = [SIGINT, SIGTERM]

    let log: String
    private let process: pid_t
    private(set) var isReaped = false

    /// - Parameter log: the file of its standard error.
    init(_ path: String, _ arguments: [String], log: String) throws {
        self.log = log
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in Self.stopSignals { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        let argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        defer { argv.forEach { free($0) } }
        var process: pid_t = 0
        let status = posix_spawn(&process, path, &actions, &attributes, argv, environ)
        guard status == 0 else {
            say("glimpsed: cannot start \(path): \(String(cString: strerror(status)))")
            throw ExitCode.unavailable
        }
        self.process = process
    }

    var hasEnded: Bool {
        if !isReaped, waitpid(process, nil, WNOHANG) == process { isReaped = true }
        return isReaped
    }

    /// Asks the program to end, and waits for it.
    func end() {
        guard !hasEnded else { return }
        kill(process, SIGTERM)
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
        isReaped = true
    }
}
