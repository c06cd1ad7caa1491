// SPDX-License-Identifier: Apache-2.0
import EventLines
import EventLog
import Glibc
import GlimpseTesting
import Logging
import NIOCore
import NIOPosix
import Observations
import Synchronization
import Testing

@testable import Workers

/// Real scripted processes and their supervisor's reaction.
private final class Bench: Sendable {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let parts: NIOLoopBound<(stream: EventStream, workers: Workers)>
    let log = RecordedLog()

    /// - Parameter scripts: by pipeline, commands of `ScriptedWorker`, separated by semicolons.
    init(
        _ scripts: [String: String], stop: Duration = .seconds(10), backoff: Duration = .milliseconds(20),
        crashes: Int = 1000
    ) throws {
        let (loop, log) = (loop, log)
        let pipelines = scripts.map(Self.pipeline)
        let limits = WorkerStateMachine.Limits(
            stop: stop, backoff: backoff...(backoff * 2), crashes: crashes, crashWindow: .seconds(60))
        parts = try loop.submit {
            let stream = EventStream(log: EventLog(limits: .init(events: 100_000, bytes: 1 << 30)))
            let logger = Logger(label: "test") { _ in log }
            let launcher = WorkerLauncher(executable: Program.built("ScriptedWorker"), logger: logger)
            let workers = Workers(
                pipelines, limits: limits, launcher: launcher, stream: stream, eventLoop: loop, logger: logger)
            workers.start()
            return NIOLoopBound((stream, workers), eventLoop: loop)
        }.wait()
    }

    private static func pipeline(_ name: String, script: String) -> WorkerPipeline {
        WorkerPipeline(
            identity: PipelineIdentity(name: name), file: "pipelines/\(name).toml",
            text: script.split(separator: "; ").map { "# script: \($0)" }.joined(separator: "\n"),
            modelsDirectory: "models")
    }

    /// The lines in the log, as `type`, or `type state` for lines about a source.
    func lines() async throws -> [StreamLine] {
        let parts = parts
        return try await loop.submit {
            let log = parts.value.stream.log
            return try (log.journal.firstSequence..<log.journal.nextSequence).map {
                try StreamLine(log.journal.line($0).dropLast())
            }
        }.get()
    }

    func has(_ count: Int = 1, _ isWanted: @escaping (StreamLine) -> Bool) async throws -> Bool {
        try await holds { try await self.lines().filter(isWanted).count >= count }
    }

    func count(of kind: EncodedEvent.Kind) async throws -> UInt64 {
        let parts = parts
        return try await loop.submit { parts.value.stream.log.counts[kind] }.get()
    }

    func pid(_ pipeline: String = "door") async throws -> pid_t? {
        let parts = parts
        return try await loop.submit { parts.value.workers.pid(ofPipeline: pipeline) }.get()
    }

    /// Another script for a pipeline, as after a reload.
    func replace(_ name: String, script: String) async throws {
        let parts = parts
        try await loop.flatSubmit { parts.value.workers.replace(Self.pipeline(name, script: script)) }.get()
    }

    func stop(_ reason: CompletionReason = .shutdown) async throws {
        let parts = parts
        try await loop.flatSubmit { parts.value.workers.stop(reason) }.get()
    }
}

extension StreamLine {
    fileprivate var summary: String { [type, state ?? track?.id, reason].compactMap(\.self).joined(separator: " ") }
}

/// Keeps log lines as `level: message`.
final class RecordedLog: LogHandler, Sendable {
    private let lines = Mutex<[String]>([])
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }
    func log(event: LogEvent) { lines.withLock { $0.append("\(event.level): \(event.message)") } }
    var all: [String] { lines.withLock { $0 } }
}

@Suite(.serialized) struct WorkersTests {
    @Test func workersEventsComeInOrderAndAStopEndsEveryTrack() async throws {
        let bench = try Bench(["door": "connect; tracks 3; updates 50 0"])
        #expect(try await bench.has(153) { $0.type == "update" })
        try await bench.stop()
        let lines = try await bench.lines()
        #expect(lines.compactMap(\.seq) == Array(1...UInt64(lines.count)))
        #expect(lines.first?.state == "connected")
        let ends = lines.suffix(3).map(\.summary)
        #expect(ends == ["completed 1 shutdown", "completed 2 shutdown", "completed 3 shutdown"])
        #expect(lines.count == 160)
        #expect(try await bench.pid() == nil)
    }

    @Test(arguments: [SIGKILL, SIGTERM, SIGUSR1])
    func aKilledWorkersTracksEndAndItsSuccessorUsesNewIDs(signal: Int32) async throws {
        let bench = try Bench(["door": "connect; tracks 2; miss"])
        #expect(try await bench.has(2) { $0.type == "missing" })
        kill(try #require(try await bench.pid()), signal)
        #expect(try await bench.has(2) { $0.type == "missing" && $0.frame?.epoch == 2 })
        try await bench.stop()
        let lines = try await bench.lines()
        let summaries = lines.map(\.summary)
        #expect(
            summaries == [
                "source connected", "detected 1", "update 1", "detected 2", "update 2", "missing 1", "missing 2",
                "completed 1 source_lost", "completed 2 source_lost", "source lost", "source retrying",
                "source connected", "detected 3", "update 3", "detected 4", "update 4", "missing 3", "missing 4",
                "completed 3 shutdown", "completed 4 shutdown",
            ])
        try #require(lines.count == 20)
        #expect(lines[9].error == "the worker was killed by signal \(signal)")
        #expect(lines[10].attempt == 1 && lines[10].retry_ms != nil)
        #expect(lines.compactMap(\.seq) == Array(1...UInt64(lines.count)))
    }

    /// Workers die at any moment, by themselves or by a signal, with a reload in between. Every track has a complete
    /// life, and no id repeats.
    @Test(arguments: Fuzz.seeds(5))
    func aWorkerMayDieAtAnyMoment(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        var commands = ["updates 9 0", "miss", "updates 1 1", "print no frame", "miss", "updates 40 0", "beat"]
        commands.shuffle(using: &random)
        for death in ["kill 9 1", "exit 1 2", "kill 15 3"] {
            commands.insert(death, at: Int.random(in: 0...commands.count, using: &random))
        }
        let count = Int.random(in: 1...6, using: &random)
        let script = ["connect", "tracks \(count)"] + commands + ["updates 100 1"]
        let bench = try Bench(["door": script.joined(separator: "; ")])
        /// Whether this number of lines of a kind was written. The lines are counted, because reading all of them again
        /// is slow.
        func wrote(_ count: UInt64, _ kind: EncodedEvent.Kind) async throws -> Bool {
            try await holds { try await bench.count(of: kind) >= count }
        }
        #expect(try await wrote(4 * UInt64(count), .detected))
        let more = UInt64.random(in: 0...50, using: &random)
        #expect(try await wrote(bench.count(of: .update) + more, .update))
        kill(try #require(try await bench.pid()), SIGKILL)
        #expect(try await wrote(5 * UInt64(count), .detected))
        try await bench.replace("door", script: script.joined(separator: "; "))
        #expect(try await wrote(6 * UInt64(count), .detected))
        try await bench.stop(.shutdown)
        let lines = try await bench.lines()
        #expect(violation(in: lines.map { Array($0.text.utf8) }) == nil)
        let detected = lines.filter { $0.type == "detected" }.compactMap(\.track?.id)
        #expect(detected == (1...detected.count).map(String.init))
        let ends = lines.filter { $0.type == "completed" }.compactMap(\.reason)
        let expected = ["source_lost", "source_lost", "source_lost", "source_lost", "reload", "shutdown"]
        #expect(ends == expected.flatMap { Array(repeating: $0, count: count) })
    }

    @Test func aDeadWorkerDoesNotDisturbAnotherPipeline() async throws {
        let bench = try Bench(["door": "tracks 1; updates 20 1; abort", "porch": "tracks 1; updates 300 2"])
        #expect(try await bench.has { $0.pipeline == "porch" && $0.frame?.seq == 301 })
        let lines = try await bench.lines()
        let frames = lines.filter { $0.pipeline == "porch" && $0.type == "update" }.compactMap(\.frame?.seq)
        #expect(frames == Array(1...301))
        #expect(lines.contains { $0.pipeline == "door" && $0.error == "the worker was killed by signal 6" })
        try await bench.stop()
    }

    @Test func aTornFrameAtTheEndOfAWorkerLosesNoOtherFrame() async throws {
        let bench = try Bench(["door": "tracks 1; print hello from a library; updates 1 0; tear; kill 9 1"])
        #expect(try await bench.has { $0.frame?.epoch == 2 })
        let lines = try await bench.lines().prefix { $0.frame?.epoch != 2 }
        #expect(lines.map { $0.type } == ["detected", "update", "update", "completed", "source", "source"])
        try await bench.stop()
    }

    @Test func aDeafWorkerIsKilledInTime() async throws {
        let bench = try Bench(["door": "deaf; tracks 1"], stop: .milliseconds(500))
        #expect(try await bench.has { $0.type == "update" })
        let pid = try #require(try await bench.pid())
        try await bench.stop()
        #expect(await holds { kill(pid, 0) == -1 })
        #expect(try await bench.lines().last?.reason == "shutdown")
    }

    @Test func aStoppedWorkerProcessIsKilled() async throws {
        let bench = try Bench(["door": "tracks 1"], stop: .milliseconds(500))
        #expect(try await bench.has { $0.type == "update" })
        kill(try #require(try await bench.pid()), SIGSTOP)
        try await bench.stop()
        #expect(try await bench.lines().last?.reason == "shutdown")
    }

    @Test func theEndOfAFileEndsThePipelineOfAWorker() async throws {
        let bench = try Bench(["door": "tracks 1; exit 0"])
        #expect(try await bench.has { $0.type == "completed" })
        #expect(try await bench.lines().last?.reason == "end_of_stream")
        try await bench.stop()
        #expect(try await bench.lines().count == 3)
    }

    @Test func aLostSourceIsReportedOnceAndRetried() async throws {
        let bench = try Bench(["door": "lose; exit 1"])
        #expect(try await bench.has(3) { $0.state == "retrying" })
        let lines = try await bench.lines()
        #expect(lines.prefix(6).map(\.state) == ["lost", "retrying", "lost", "retrying", "lost", "retrying"])
        #expect(lines[0].error == "the camera is gone")
        try await bench.stop()
    }

    @Test func aWorkerInheritsNoDescriptorAndIDsContinue() async throws {
        let leak = open("/dev/null", O_RDONLY)
        defer { close(leak) }
        let bench = try Bench(["door": "tracks 5; report; sleep 20; exit 1 1"])
        #expect(await holds { bench.log.all.contains("info: descriptors 0 epoch 2 first 6") })
        #expect(bench.log.all.contains("info: descriptors 0 epoch 1 first 1"))
        try await bench.stop()
    }

    @Test func aWorkerCannotSpeakForAnotherPipeline() async throws {
        let bench = try Bench(["door": "impersonate; tracks 1"])
        #expect(try await bench.has { $0.type == "update" })
        #expect(try await bench.lines().allSatisfy { $0.pipeline == "door" })
        #expect(bench.log.all.contains("warning: refused an invalid line of type detected from the worker"))
        try await bench.stop()
    }

    @Test func aWorkersLogLinesKeepTheirLevelAndAreBounded() async throws {
        let bench = try Bench(["door": "say warning: no model; say plain; flood 5000 10; flood 1 9000; connect"])
        #expect(try await bench.has { $0.state == "connected" })
        try await bench.stop()
        let lines = bench.log.all
        #expect(lines.contains("warning: no model") && lines.contains("info: plain"))
        #expect(lines.filter { $0 == "info: xxxxxxxxxx" }.count <= 1000)
        #expect(lines.contains { $0.hasSuffix("lines of the worker were dropped: more than 100 in a second") })
        #expect(lines.allSatisfy { $0.utf8.count < WorkerLog.longestLine + 100 })
    }

    @Test func manyKillsOfWorkersLeakNothing() async throws {
        let bench = try Bench(["door": "connect; tracks 1; sleep 1; kill 9"], backoff: .milliseconds(1))
        #expect(try await holds { try await bench.count(of: .source) > 60 })
        let before = openDescriptors()
        #expect(try await holds { try await bench.count(of: .source) > 660 })
        #expect(openDescriptors() <= before + 4)
        try await bench.stop()
        #expect(await holds { zombies() == 0 })
        let lines = try await bench.lines()
        #expect(lines.filter { $0.type == "detected" }.count == lines.filter { $0.type == "completed" }.count)
    }

    @Test func moreWorkersThanThePaceAllowsStartLater() async throws {
        let count = 4 * sysconf(CInt(_SC_NPROCESSORS_ONLN)) + 3
        let bench = try Bench(Dictionary(uniqueKeysWithValues: (0..<count).map { ("door\($0)", "connect") }))
        #expect(try await bench.has(count) { $0.state == "connected" })
        try await bench.stop()
    }

    @Test func workersThatWaitForTheirStartAreStopped() async throws {
        let count = 4 * sysconf(CInt(_SC_NPROCESSORS_ONLN)) + 40
        let bench = try Bench(Dictionary(uniqueKeysWithValues: (0..<count).map { ("door\($0)", "connect") }))
        try await bench.stop()
        let connected = try await bench.lines().filter { $0.state == "connected" }.count
        #expect(connected < count && bench.log.all.filter { $0.contains("worker started") }.count < count)
    }

    private func openDescriptors() -> Int { (0..<4096).filter { fcntl($0, F_GETFD) >= 0 }.count }

    /// Children of this process that have ended and were not collected.
    private func zombies() -> Int {
        var info = siginfo_t()
        return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info._sifields._sigchld.si_pid != 0 ? 1 : 0
    }
}
