import GlimpseTesting
import Testing

/// Every film of the shared data: what the pipeline says live and what its tape gives are the same bytes.
@Suite(.enabled(if: SharedData.has("media/video"))) struct ClipTests {
    static let clips = [
        "asl_again.mkv", "asl_book.mkv", "asl_help.mkv", "bottle-detection.mp4", "classroom.gif",
        "face-demographics-walking.gif", "head-pose-face-detection-female.gif", "one-by-one-person-detection.mp4",
        "person-bicycle-car-detection.gif", "store-aisle-detection.gif",
    ]
    /// Of the frames, every so manieth: all of them with `make fuzz`.
    private static let step = max(1, 6 / Fuzz.scale)

    @Test(arguments: clips) func theTapeGivesTheSameBytes(clip: String) {
        let scope = TestScope()
        let file = scope.write("clip.toml", "[face]\n[barcode]\n[object]\n")
        let (tape, glimpsed) = (scope.path("clip.tape"), Program.built("glimpsed"))
        let live = Program.run(
            glimpsed,
            [
                "pipeline", file, "--source", SharedData.path("media/video/\(clip)"), "--set",
                "source.every=\(Self.step)", "--record", tape,
            ], within: .seconds(600))
        #expect(live.status == 0, "\(live)")
        let again = Program.run(glimpsed, ["replay", tape])
        #expect(again.status == 0 && again.errors.isEmpty, "\(again)")
        #expect(again.output == live.output)
        #expect(live.lines.last?.contains("\"ended\"") == true)
    }
}
