// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Sandbox
import Testing

/// The sandbox of workers that the built daemon starts. All other tests with real workers show that allowed calls work
/// inside the sandbox.
@Suite(.enabled(if: SandboxSupport.ofThisKernel.missing.isEmpty, "needs Landlock and seccomp"))
struct SandboxedWorkerTests {
    private let real = RealBench()
    private var bench: DaemonBench { real.bench }

    /// A pipeline whose text records into a file that is not the worker's.
    private func record() -> String {
        let path = bench.scope.path("recorded.avi")
        bench.scope.write(
            "pipelines/door.toml",
            "[source]\nkind = \"launch\"\nlaunch = \"videotestsrc num-buffers=40 is-live=true ! tee name=t t. ! queue ! jpegenc "
                + "! avimux ! filesink location=\(path) t. ! queue\"\n[barcode]\n")
        return path
    }

    private func start(_ sandbox: String) async throws -> (RunningProgram, SocketClient) {
        let daemon = real.run(workers: "sandbox = \"\(sandbox)\"")
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        return (daemon, client)
    }

    private func worker(_ daemon: RunningProgram) throws -> [String] {
        let process = try #require(ProcessFootprint.workers(of: daemon.process).first)
        return try String(decoding: TestFile.read("/proc/\(process)/status"), as: UTF8.self).split(separator: "\n")
            .map(String.init)
    }

    @Test func aLaunchTextInTheSandboxCannotWriteOutsideItsFolders() async throws {
        let path = record()
        let (daemon, client) = try await start("auto")
        let lost = try client.lines { $0.state == "lost" }
        #expect(lost.last?.error?.contains("filesink") == true, "\(lost.last?.text ?? "")")
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try await bench.control().ask(#"{"status":true}"#).contains(#""sandbox":{"landlock":"#))
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0)
    }

    @Test func theSandboxCanBeSwitchedOff() async throws {
        let path = record()
        let (daemon, client) = try await start("off")
        _ = try client.lines { $0.state == "connected" }
        #expect(try worker(daemon).contains("Seccomp:\t0"))
        #expect(await holds { (try? TestFile.read(path).isEmpty) == false })
        #expect(try await bench.control().ask(#"{"status":true}"#).contains("sandbox") == false)
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0)
    }

    @Test func everyThreadOfAWorkerIsInTheSandbox() async throws {
        real.write("door")
        let (daemon, client) = try await start("auto")
        _ = try client.lines { $0.type == "update" }
        let process = try #require(ProcessFootprint.workers(of: daemon.process).first)
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
        #expect(tasks.count > 5)
        for task in tasks {
            let status = String(decoding: try TestFile.read("/proc/\(process)/task/\(task)/status"), as: UTF8.self)
            #expect(status.contains("\nSeccomp:\t2\n") && status.contains("\nNoNewPrivs:\t1\n"))
        }
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0)
    }
}
