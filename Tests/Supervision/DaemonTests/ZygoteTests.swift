// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

/// All workers of a daemon are copies of one process, and do without it if it fails.
struct ZygoteTests {
    private let bench = DaemonBench()

    @Test func realWorkersShareTheMemoryOfTheirLibraries() async throws {
        bench.configure()
        for name in ["door", "gate"] {
            bench.scope.write("pipelines/\(name).toml", "[source]\nkind = \"test\"\n[barcode]\n")
        }
        let daemon = bench.run(worker: Program.built("glimpsed-worker"))
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        for pipeline in ["door", "gate"] {
            client.send(#"{"after":0}"#)
            _ = try client.lines { $0.pipeline == pipeline && $0.type == "update" }
        }
        let zygote = try #require(ProcessFootprint.zygote(of: daemon.process))
        let footprint = try #require(ProcessFootprint(of: zygote))
        // A copy would share locks with other threads, and positions with other descriptors.
        #expect(footprint.threads == 1 && footprint.descriptors == 3)
        let workers = ProcessFootprint.workers(of: daemon.process)
        #expect(workers.count == 2)
        for worker in workers {
            let shared = try #require(ProcessFootprint.sharedBytes(of: worker))
            // libav and its libraries: 8 MiB. A process of its own shares nothing that was written.
            #expect(shared > 6 << 20, "\(shared)")
            // Within the sandbox too.
            let names = ProcessFootprint.threadNames(of: worker)
            #expect(names.contains("barcode") && names.contains("heartbeat"), "\(names)")
        }
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0, "\(daemon.errors)")
        #expect(kill(zygote, 0) != 0)
    }

    /// The zygote keeps its own holes.
    @Test func aWorkerReturnsTheHolesOfItsHeap() async throws {
        let library = bench.scope.path("holes.so")
        let source = "\(Checkout.root)/Tests/Support/holes.c"
        let built = Program.run("clang", ["-O1", "-fno-builtin", "-fPIC", "-shared", "-o", library, source])
        try #require(built.status == 0, "\(built)")
        bench.configure()
        bench.scope.write("pipelines/door.toml", "[source]\nkind = \"test\"\n[barcode]\n")
        let daemon = bench.run(worker: Program.built("glimpsed-worker"), environment: ["LD_PRELOAD": library])
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        _ = try client.lines { $0.type == "update" }
        let zygote = try #require(ProcessFootprint.zygote(of: daemon.process))
        let worker = try #require(ProcessFootprint.workers(of: daemon.process).first)
        func memory(_ process: pid_t) -> Int { ProcessFootprint(of: process)?.privateBytes ?? 0 }
        #expect(memory(zygote) > 24 << 20)
        let isReturned = await holds { memory(worker) + (12 << 20) < memory(zygote) }
        #expect(isReturned, "\(memory(worker) >> 10) KiB, the zygote \(memory(zygote) >> 10)")
    }

    /// One zygote is killed, another does not answer.
    @Test(arguments: [SIGKILL, SIGSTOP]) func aWorkerStartsWithoutAZygote(signal: CInt) async throws {
        bench.configure(workers: "restart_backoff = [\"10ms\", \"20ms\"]")
        bench.write("door", "connect; tracks 1")
        let daemon = bench.run()
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        var zygotes: [pid_t] = []
        for epoch in 1...3 as ClosedRange<UInt64> {
            _ = try client.lines { $0.type == "update" && $0.frame?.epoch == epoch }
            let worker = try #require(ProcessFootprint.workers(of: daemon.process).first)
            if epoch != 2 { zygotes.append(try #require(ProcessFootprint.zygote(of: daemon.process))) }
            if epoch == 1 { kill(zygotes[0], signal) }
            kill(worker, SIGKILL)
        }
        #expect(zygotes[0] != zygotes[1])
        #expect(daemon.errors.contains("warning: the zygote of the workers is gone: "))
        #expect(await holds { ProcessFootprint(of: daemon.process)?.zombies == 0 })
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0, "\(daemon.errors)")
    }

    @Test func aProgramThatIsNoZygoteStartsForEachWorker() async throws {
        let program = bench.scope.path("worker")
        bench.scope.write(
            "worker", "#!/bin/sh\n[ \"$1\" = serve ] || exit 1\nexec \(Program.built("ScriptedWorker")) \"$@\"\n")
        chmod(program, 0o755)
        bench.configure()
        bench.write("door", "connect; tracks 1")
        let daemon = bench.run(worker: program)
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        _ = try client.lines { $0.type == "update" }
        #expect(daemon.errors.contains("warning: the zygote of the workers is gone: it did not load its libraries"))
        #expect(ProcessFootprint.zygote(of: daemon.process) == nil)
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0, "\(daemon.errors)")
    }

    @Test func theZygoteEndsWithTheDaemon() async throws {
        bench.configure()
        bench.write("door", "connect; tracks 1")
        let daemon = bench.run()
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        _ = try client.lines { $0.type == "update" }
        let zygote = try #require(ProcessFootprint.zygote(of: daemon.process))
        daemon.send(SIGKILL)
        #expect(await holds { kill(zygote, 0) != 0 })
        _ = daemon.finish()
    }
}
