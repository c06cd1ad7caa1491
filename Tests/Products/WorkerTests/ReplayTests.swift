// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

/// Equal input gives equal bytes.
@Suite struct ReplayTests {
    private let scope = TestScope()

    @Test func twoReplaysOfTheTestSceneAreEqual() throws {
        let configuration = "[source]\nkind = \"test\"\nframes = 150\nwidth = 640\nheight = 360\n[barcode]\n"
        let (first, second) = (Worker.pipeline(configuration, in: scope), Worker.pipeline(configuration, in: scope))
        #expect(first.status == 0 && second.status == 0, "\(first.errors)")
        #expect(first.output == second.output)
        #expect(first.lines.contains { $0.contains("\"type\":\"completed\"") })
    }

    /// Explanations add lines and change none. All lines follow the schema.
    @Test func aReplayExplainsTheTestScene() throws {
        let configuration = "[source]\nkind = \"test\"\nframes = 150\nwidth = 640\nheight = 360\n[barcode]\n"
        let plain = Worker.pipeline(configuration, in: scope)
        let explained = Program.run(
            Worker.path,
            ["pipeline", scope.write("explained.toml", "name = \"pipeline\"\n" + configuration), "--explain"])
        #expect(explained.status == 0, "\(explained.errors)")
        let (added, rest) = (
            explained.lines.filter { $0.contains("\"type\":\"explain\"") },
            explained.lines.filter { !$0.contains("\"type\":\"explain\"") }
        )
        #expect(rest == plain.lines)
        #expect(added.contains { $0.contains("\"rule\":\"max_gap\"") })
        #expect(try EventSchema.violations(in: explained.lines.map { Array($0.utf8) }) == [])
        #expect(violation(in: explained.lines.map { Array($0.utf8) }) == nil)
    }

    @Test func twoReplaysOfAFilmAreEqual() throws {
        let film = try MediaMaker.film(
            scope.path("f.mp4"), frames: 60, width: 322, height: 242, encoding: "openh264enc ! h264parse ! mp4mux")
        let configuration = "[source]\nkind = \"test\"\nframes = 1\n[barcode]\n[face]\nmodel = \"cascade\"\n"
        let (first, second) = (
            Worker.pipeline(configuration, source: film, in: scope),
            Worker.pipeline(configuration, source: film, in: scope)
        )
        #expect(first.status == 0 && second.status == 0, "\(first.errors)")
        #expect(first.output == second.output && !first.output.isEmpty)
    }
}
