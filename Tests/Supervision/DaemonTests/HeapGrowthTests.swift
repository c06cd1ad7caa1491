// SPDX-License-Identifier: Apache-2.0
import Glibc
import GlimpseTesting
import Testing

/// A daemon runs for years. Clients must leave no memory behind, counted in malloc blocks
/// (`scripts/reliability/heap.c`). `scripts/reliability/growth.py` repeats this a thousand times with real workers.
@Suite struct HeapGrowthTests {
    private let bench = DaemonBench()

    /// A heap of another thread would keep the pages between its blocks for ever.
    @Test func allThreadsOfTheDaemonShareOneHeap() async throws {
        bench.configure()
        bench.write("door", "connect; detector face yes; tracks 2; updates 3 0")
        let daemon = bench.run()
        let control = try await bench.control()
        let client = try await bench.subscribe()
        // The worker may have ended its script before.
        client.send(#"{"after":0}"#)
        _ = try client.lines { $0.type == "update" }
        #expect(try control.ask(#"{"status":true}"#).contains(#""ok":true"#))
        #expect(try #require(ProcessFootprint(of: daemon.process)).threads > 2)
        #expect(ProcessFootprint.laterHeaps(of: daemon.process) == 0)
    }

    @Test func clientsThatComeAndGoLeaveNoHeapBlocks() async throws {
        let (library, counts) = (bench.scope.path("heap.so"), bench.scope.path("blocks"))
        let source = "\(Checkout.root)/scripts/reliability/heap.c"
        let built = Program.run("clang", ["-O2", "-fPIC", "-shared", "-o", library, source])
        try #require(built.status == 0, "\(built)")
        // The journal is full before the first look.
        bench.configure(events: "journal_bytes = \"64KiB\"\njournal_events = 20")
        bench.write("door", "connect; detector face yes; tracks 2; updates 3 0")
        let daemon = bench.run(environment: ["LD_PRELOAD": library, "HEAP_COUNT": counts])
        let control = try await bench.control()
        func blocks() throws -> Int64 {
            try TestFile.read("\(counts).\(daemon.process)").withUnsafeBytes { $0.loadUnaligned(as: Int64.self) }
        }
        func comeAndGo(_ rounds: Range<Int>) async throws {
            for round in rounds {
                let client = try await bench.subscribe()
                client.send(#"{"after":0}"#)
                let filter = #"{"pipelines":["cam-\#(round)"],"value_regex":"^a{2}|\#(round)"}"#
                client.send(#"{"subscribe":\#(filter),"state":true}"#)
                _ = try client.lines { $0.type == "state" && $0.as_of != nil }
                client.send("[\(round)")
                _ = try client.lines { $0.type == "error" }
                client.close()
                for request in [#"{"status":true}"#, #"{"dance":\#(round)}"#, #"{"pause":{"pipeline":"none"}}"#] {
                    _ = try control.ask(request)
                }
                bench.write("porch", settings: "# \(round)\nmax_rat = 5")
                #expect(try control.ask(#"{"reload":true}"#).contains(#""ok":false"#))
                bench.write("porch", "connect; tracks 1", settings: "tags = { round = \"\(1000 + round)\" }")
                #expect(try control.ask(#"{"reload":true}"#).contains(#""ok":true"#))
                #expect(try control.ask(#"{"restart":{"pipeline":"door"}}"#).contains(#""ok":true"#))
            }
        }
        // Threads of libdispatch keep cached blocks until they are idle for five seconds. Some blocks exist before the
        // test, and all are released at the end.
        try await comeAndGo(0..<3)
        let before = try blocks()
        try await comeAndGo(3..<60)
        let isBack = await holds { (try? blocks()).map { $0 <= before } ?? false }
        let more = try blocks() - before
        #expect(isBack, "\(more) blocks more")
    }
}
