// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// Pipelines with programs as detectors, through the built executables.
@Suite struct ProgramPipelineTests {
    private let scope = TestScope()

    private struct Line: Decodable {
        struct Thing: Decodable { var value: String? }

        var type: String
        var detector: String?
        var kind: String?
        var operational: Bool?
        var reason: String?
        var thing: Thing?
        var error: String?
    }

    private static let good = """
        import glimpse_detector
        def detect(frame):
            n = frame.number
            return [glimpse_detector.Detection((10 + n, 20, 40, 40), 0.9, attributes={"value": "a" if n < 30 else "b"})]
        glimpse_detector.run(detect, name="things")
        """

    /// Six seconds of a symbol at rest.
    private func film() throws -> String {
        let (symbol, film) = (scope.path("symbol.pgm"), scope.path("film.avi"))
        if (try? TestFile.read(film)) != nil { return film }
        let drawn = Program.run(Program.built("glimpsed-worker"), ["symbol", "qr_code", "a code", "--output", symbol])
        #expect(drawn.status == 0, "\(drawn)")
        try MediaMaker.run(
            "filesrc location=\(symbol) ! pnmdec ! imagefreeze num-buffers=60 ! video/x-raw,framerate=10/1 ! videoconvert "
                + "! jpegenc ! avimux ! filesink location=\(film)")
        return film
    }

    private func pipeline(_ external: String = "") throws -> String {
        scope.write(
            "p.toml",
            "name = \"p\"\n[source]\nkind = \"file\"\npath = \"\(try film())\"\ngate.enabled = false\n[barcode]\n\(external)"
        )
    }

    private func table(_ program: String, _ keys: String = "") -> String {
        let file = scope.write("detector.py", program)
        return
            "[external.things]\nkind = \"thing\"\ncommand = [\"python3\", \"./\(file.split(separator: "/").last ?? "")\"]\n\(keys)\n"
    }

    private func run(_ file: String, _ arguments: String...) throws -> (result: ProgramResult, lines: [Line]) {
        let result = Program.run(Program.built("glimpsed"), ["pipeline", file] + arguments, within: .seconds(300))
        return (result, try result.lines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) })
    }

    private func barcodes(_ result: ProgramResult) -> [String] {
        result.lines.filter { $0.contains("\"detector\":\"barcode\"") }.map(Self.withoutID)
    }

    /// Tracks of all detectors share their ids.
    private static func withoutID(_ line: String) -> String {
        line.replacing(/"id":"[0-9]+"/, with: "")
    }

    @Test func thingsOfAProgramAreTrackedLikeOthers() throws {
        let file = try pipeline(table(Self.good))
        let (first, lines) = try run(file, "--record", scope.path("tape"))
        #expect(first.status == 0, "\(first)")
        let detected = lines.filter { $0.type == "detected" && $0.kind == "thing" }
        #expect(detected.map(\.thing?.value) == ["a", "b"] && detected.allSatisfy { $0.detector == "things" })
        #expect(lines.filter { $0.type == "completed" && $0.kind == "thing" }.count == 2)
        #expect(try run(file).result.lines == first.lines)
        let replay = Program.run(Program.built("glimpsed"), ["replay", scope.path("tape")])
        #expect(replay.lines == first.lines)
        let conform = Program.run(
            Program.built("glimpsed"), ["conform", "-"], input: first.lines.joined(separator: "\n") + "\n")
        #expect(conform.status == 0, "\(conform)")
    }

    @Test(arguments: [
        ("import sys\nsys.exit(4)", "", "the program ended: exit status 4", 3),
        (
            good.replacing("n = frame.number", with: "n = frame.number\n    if n == 20: raise SystemExit(5)"), "",
            "the program ended: exit status 5", 1
        ),
        (
            good.replacing(
                "n = frame.number", with: "n = frame.number\n    import time\n    if n == 20: time.sleep(3600)"),
            "timeout = \"500ms\"", "it gave no answer within 0.5 seconds", 1
        ),
        (
            "print('{\"ready\":true}', flush=True)\nfor line in open(0): print('nonsense', flush=True)", "",
            "its answer is no JSON object: nonsense", 3
        ),
    ])
    func aBadProgramCostsItsOwnLaneOnly(program: String, keys: String, reason: String, ends: Int) throws {
        let alone = try run(try pipeline()).result
        let (result, lines) = try run(pipeline(table(program, keys)))
        #expect(result.status == 0, "\(result)")
        #expect(barcodes(result) == barcodes(alone) && !barcodes(alone).isEmpty)
        let reports = lines.filter { $0.type == "detector" && $0.detector == "things" }
        let broken = reports.filter { $0.operational == false }
        #expect(broken.first?.reason == reason, "\(result)")
        // Six seconds of film: attempts after 0, 1, 3 and 7 s.
        #expect(broken.count <= ends && reports.last?.operational == (ends == 1), "\(result)")
    }
}
