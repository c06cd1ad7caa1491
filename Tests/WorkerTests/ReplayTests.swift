import GlimpseTesting
import Testing

/// The same input gives the same bytes.
@Suite struct ReplayTests {
    private let scope = TestScope()

    @Test func theSceneTwice() throws {
        let configuration = "[source]\nkind = \"test\"\nframes = 150\nwidth = 640\nheight = 360\n[barcode]\n"
        let (first, second) = (Worker.pipeline(configuration, in: scope), Worker.pipeline(configuration, in: scope))
        #expect(first.status == 0 && second.status == 0, "\(first.errors)")
        #expect(first.output == second.output)
        #expect(first.lines.contains { $0.contains("\"type\":\"completed\"") })
    }

    @Test func aFilmTwice() throws {
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
