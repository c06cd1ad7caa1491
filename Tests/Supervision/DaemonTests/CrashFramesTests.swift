// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// The frames before a crash. The built worker keeps them and the built daemon reports them.
@Suite struct CrashFramesTests {
    private let real = RealBench()
    private var bench: DaemonBench { real.bench }

    private func crash(daemon: String = "", workers: String) async throws -> StreamLine {
        real.write("door")
        bench.configure(daemon: daemon, workers: workers)
        let daemon = bench.run(
            worker: Program.built("glimpsed-worker"), environment: ["GLIMPSED_FAULT": "abort:barcode:20"])
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        let received = try client.lines { $0.type == "update" && $0.frame?.epoch == 2 }
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0, "\(daemon.errors)")
        return try #require(received.first { $0.state == "lost" })
    }

    private var files: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: bench.scope.path("state/crashes"))) ?? []
    }

    @Test func crashFramesAreSavedAndPlayable() async throws {
        let lost = try await crash(workers: "crash_dump = true")
        let file = try #require(files.first)
        // The worker that ended in order kept none.
        #expect(files.count == 1)
        let path = bench.scope.path("state/crashes/\(file)")
        #expect(lost.error == "the worker was killed by signal 6; its last frames are in \(path)")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let bytes = try TestFile.read(path)
        #expect(bytes.starts(with: Array("YUV4MPEG2 W".utf8)))
        let text = String(decoding: bytes, as: Unicode.ASCII.self)
        let numbers = text.matches(of: /FRAME XNUMBER=([0-9]{20})\n/).compactMap { UInt64($0.output.1) }
        // A worker dies after a delay, so the source may have given more frames.
        #expect(numbers.count == 8 && numbers.contains(20), "\(numbers)")
        #expect(Set(numbers) == Set((numbers.max() ?? 0) - 7...(numbers.max() ?? 0)))
        try MediaMaker.run("filesrc location=\(path) ! y4mdec ! videoconvert ! fakesink")
    }

    @Test(arguments: [("", ""), ("no_images = true", "crash_dump = true")])
    func noCrashFramesAreKeptUnlessASettingAsks(daemon: String, workers: String) async throws {
        let lost = try await crash(daemon: daemon, workers: workers)
        #expect(lost.error == "the worker was killed by signal 6")
        #expect(files.isEmpty)
    }
}
