// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// Detectors that are programs, under the built daemon with restricted workers.
@Suite struct ProgramDetectorTests {
    private let real = RealBench()
    private var bench: DaemonBench { real.bench }

    private func isThings(_ line: StreamLine, _ text: String) -> Bool {
        line.text.contains(#""detector":"things""#) && line.text.contains(text)
    }

    @Test func aProgramComesBackAndLeavesNothingBehind() async throws {
        bench.scope.write(
            "pipelines/things.py",
            """
            import glimpse_detector
            def detect(frame):
                return [glimpse_detector.Detection((10, 20, 40, 40), 0.9, attributes={"value": "a"})]
            glimpse_detector.run(detect, name="things")
            """)
        real.write(
            "door", barcode: "[external.things]\nkind = \"thing\"\ncommand = [\"python3\", \"./things.py\"]")
        let daemon = real.run()
        let client = try await bench.subscribe()
        client.send(#"{"after":0}"#)
        let first = try client.lines { $0.type == "detected" && isThings($0, #""thing":{"value":"a"}"#) }
        #expect(first.contains { $0.type == "detector" && isThings($0, #""operational":true"#) })
        let worker = try #require(ProcessFootprint.workers(of: daemon.process).first)
        let host = try #require(ProcessFootprint.children(of: worker).first)
        let program = try #require(ProcessFootprint.children(of: host).first)

        // A program that somebody kills is started again, and its lane says so.
        kill(program, SIGKILL)
        let lost = try client.lines { $0.type == "detector" && isThings($0, #""operational":false"#) }
        #expect(lost.last.map { isThings($0, "the program ended") } == true, "\(lost.last?.text ?? "")")
        let back = try client.lines { $0.type == "detector" && isThings($0, #""operational":true"#) }
        #expect((lost + back).allSatisfy { $0.type != "source" && $0.type != "gap" })
        let next = try #require(ProcessFootprint.children(of: host).first)

        // Nothing outlives the worker.
        kill(worker, SIGKILL)
        #expect(await holds { kill(host, 0) != 0 && kill(next, 0) != 0 })
        _ = try client.lines { $0.type == "detected" && isThings($0, #""thing":{"value":"a"}"#) }
        daemon.send(SIGTERM)
        #expect(daemon.finish().status == 0)
    }
}
