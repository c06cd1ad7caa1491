// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// The frames before a crash. The built worker keeps them and the built daemon reports them.
@Suite struct CrashFramesTests {
    private let real = RealBench()
    private var bench: DaemonBench { real.bench }

    /// - Returns: the lines of both workers up to the second one's first `update`.
    private func crash(daemon: String = "", workers: String) async throws -> [StreamLine] {
        real.write("door")
        bench.configure(daemon: daemon, workers: workers)
        let daemon = bench.run(
            worker: Program.built("glimpsed-worker"), environment: ["GLIMPSED_FAULT": "abort:barcode:20"])
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        let received = try client.lines { $0.type == "update" && $0.frame?.epoch == 2 }
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0, "\(daemon.errors)")
        return received
    }

    private func error(_ lines: [StreamLine]) throws -> String? {
        try #require(lines.first { $0.state == "lost" }).error
    }

    private var files: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: bench.scope.path("state/crashes"))) ?? []
    }

    @Test func crashFramesAreSavedAndPlayable() async throws {
        let lines = try await crash(workers: "crash_dump = true")
        let file = try #require(files.first)
        // The worker that ended in order kept none.
        #expect(files.count == 1)
        let path = bench.scope.path("state/crashes/\(file)")
        #expect(try error(lines) == "the worker was killed by signal 6; its last frames are in \(path)")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let bytes = try TestFile.read(path)
        #expect(bytes.starts(with: Array("YUV4MPEG2 W".utf8)))
        let text = String(decoding: bytes, as: Unicode.ASCII.self)
        let numbers = text.matches(of: /FRAME XNUMBER=([0-9]{20})\n/).compactMap { UInt64($0.output.1) }
        // A worker dies after a delay, so the source may have given more frames.
        #expect(numbers.count == 8 && numbers.contains(20), "\(numbers)")
        let ordered = numbers.sorted()
        let oldest = try #require(ordered.first), start = try #require(numbers.firstIndex(of: oldest))
        #expect(Array(numbers[start...] + numbers[..<start]) == ordered && Set(numbers).count == 8, "\(numbers)")
        // A busy machine drops frames, but the frames that the detector has received are there.
        let received = lines.filter { $0.frame?.epoch == 1 }.compactMap(\.frame?.seq).filter { $0 >= oldest }
        #expect(!received.isEmpty && Set(received).isSubset(of: numbers), "\(received) \(numbers)")
        try MediaMaker.run("filesrc location=\(path) ! y4mdec ! videoconvert ! fakesink")
    }

    @Test(arguments: [("", ""), ("no_images = true", "crash_dump = true")])
    func noCrashFramesAreKeptUnlessASettingAsks(daemon: String, workers: String) async throws {
        let lines = try await crash(daemon: daemon, workers: workers)
        #expect(try error(lines) == "the worker was killed by signal 6")
        #expect(files.isEmpty)
    }
}
