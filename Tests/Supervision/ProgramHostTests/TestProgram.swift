// SPDX-License-Identifier: Apache-2.0
import Detectors
import ExternalDetectors
import Frames
import GlimpseTesting
import Observations
import ProgramHost
import Settings
import Testing

/// A detector that is a Python program, written for one test. It speaks the protocol by itself, because it has to break
/// it.
struct TestProgram {
    let scope = TestScope()
    let host: ProgramHost
    var settings = ExternalSettings()

    /// - Parameters:
    ///   - body: the body of `def answer(frame):`, which returns text to write; `frame` is the line, `ring` the memory.
    ///   - start: lines before the greeting.
    ///   - greeting: what the program writes first.
    init(
        _ body: String, start: String = "", greeting: String = #"{"ready":true,"name":"test","model":"m1"}"#,
        network: Bool = false, timeout: Duration = patience
    ) throws {
        let text = """
            import json, mmap, os, signal, socket, sys, time
            \(start)
            first = json.loads(sys.stdin.readline())
            ring = mmap.mmap(3, first["slots"] * first["slot_bytes"], mmap.MAP_SHARED, mmap.PROT_READ)
            def pixels(frame):
                begin = frame["slot"] * first["slot_bytes"]
                return ring[begin:begin + first["slot_bytes"]]
            def reply(frame, detections):
                return json.dumps({"frame": frame["frame"], "detections": detections}) + "\\n"
            def answer(frame):
            \(body.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n"))
            sys.stdout.write('\(greeting)\\n')
            sys.stdout.flush()
            for line in sys.stdin:
                sys.stdout.write(answer(json.loads(line)))
                sys.stdout.flush()
            """
        let command = ["python3", scope.write("program.py", text)]
        settings.kind = try #require(FeatureKind(rawValue: "thing"))
        settings.command = command
        settings.network = network
        settings.timeout = timeout
        host = try ProgramHost(command: command, network: network)
    }

    func detector() throws -> any Detector { try loaded().detector }

    func loaded() throws -> LoadedDetector {
        try ExternalDetectorFactory(settings, name: "test", starter: host).makeDetector()
    }

    /// The error of the first frame.
    func failure(frame: Frame? = nil) throws -> DetectorError? {
        let detector = try detector()
        do {
            _ = try detector.detect(in: frame ?? FramePainter().frame(1, seconds: 0))
            return nil
        } catch {
            return error
        }
    }
}

extension Detection {
    var attributes: String? { if case .custom(let feature) = content { feature.attributes } else { nil } }
    var corners: Quadrilateral? { content.corners }
}
