// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// Bad input gives one line, the right exit status, and an end of the process.
@Suite struct GarbageTests {
    private let scope = TestScope()

    private func expect(
        _ status: Int, _ message: String, _ result: ProgramResult, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(!result.isOverdue, sourceLocation: sourceLocation)
        #expect(result.status == status, "\(result)", sourceLocation: sourceLocation)
        #expect(result.errors == "glimpsed: \(message)\n", sourceLocation: sourceLocation)
        // The last event reports the error too.
        #expect(result.lines.last?.contains("\"state\":\"lost\"") == true, sourceLocation: sourceLocation)
    }

    @Test func unusableFilesAreWorkerErrors() throws {
        let missing = scope.path("x.mkv")
        expect(66, "\(missing): No such file or directory", Worker.pipeline(source: missing, in: scope))
        let empty = scope.write("empty.mkv", "")
        expect(1, "\(empty): the file is empty", Worker.pipeline(source: empty, in: scope))
        let text = scope.write("text.mkv", "no film\n")
        expect(
            1,
            "\(text): Could not determine type of stream (typefind); "
                + "GStreamer recognises neither a picture nor a video in it",
            Worker.pipeline(source: text, in: scope))
        expect(66, "\(scope.folder): has no pictures in it", Worker.pipeline(source: scope.folder, in: scope))
    }

    @Test func aSourceFileWithoutReadPermissionIsAWorkerError() {
        let film = scope.write("secret.mkv", "film")
        let readable = scope.write("pipeline.toml", "[source]\nkind = \"test\"\nframes = 1\n")
        let unreadable = scope.write("unreadable.toml", "[source]\nkind = \"test\"\nframes = 1\n")
        chmod(scope.folder, 0o755)
        chmod(readable, 0o644)
        for path in [film, unreadable] { chmod(path, 0) }
        expect(
            66, "\(film): Permission denied", Worker.asOrdinaryUser(["pipeline", readable, "--source", film]))
        let result = Worker.asOrdinaryUser(["pipeline", unreadable])
        #expect(result.status == 78)
        #expect(
            result.errors
                == "\(unreadable): no permission to read it; let the user that glimpsed runs as read it\n")
    }

    @Test func aMissingDecoderIsAWorkerError() throws {
        let film = try MediaMaker.film(
            scope.path("f.mkv"), frames: 5, encoding: "openh264enc ! h264parse ! matroskamux")
        let result = Worker.pipeline(
            source: film, in: scope,
            environment: ["GST_PLUGIN_FEATURE_RANK": "avdec_h264:NONE,openh264dec:NONE"])
        #expect(result.status == 69)
        #expect(result.errors.hasPrefix("glimpsed: \(film): GStreamer has no H.264"))
        #expect(result.errors.contains("apt-get install gstreamer1.0-libav"))
    }

    @Test func unusableLaunchTextsAreWorkerErrors() {
        func run(_ text: String) -> ProgramResult {
            Worker.pipeline("[source]\nkind = \"launch\"\nlaunch = '\(text)'\n", in: scope)
        }
        expect(78, "launch: syntax error", run("videotestsrc ! !"))
        expect(69, "launch: no element \"nosuch\"; find its package with: apt-cache search gstreamer1.0", run("nosuch"))
        expect(
            1,
            "launch: Could not open resource for reading and writing (rtspsrc); check that the camera is switched on and the address is right",
            run("rtspsrc location=rtsp://127.0.0.1:9/x ! decodebin"))
    }

    @Test func aFolderAsConfigurationIsAWorkerError() {
        let result = Program.run(Worker.path, ["pipeline", scope.folder])
        #expect(result.status == 78)
        #expect(result.errors == "\(scope.folder): is a folder; give the file in it\n")
        #expect(result.output.isEmpty)
    }

    @Test func anEmptyModelIsAWorkerError() {
        scope.write("models/face_detection_yunet_2023mar.onnx", "")
        let result = Worker.pipeline(
            "[source]\nkind = \"test\"\nframes = 3\n[face]\n", in: scope,
            environment: ["GLIMPSED_MODELS_DIR": scope.path("models")])
        #expect(result.status == 0, "\(result)")
        #expect(result.lines.contains { $0.contains("\"type\":\"detector\"") })
        #expect(result.lines.last?.contains("\"state\":\"ended\"") == true)
    }

    @Test func missingPasswordsAreWorkerErrors() {
        func run(_ key: String) -> ProgramResult {
            Worker.pipeline(
                "[source]\nkind = \"rtsp\"\nurl = \"rtsp://127.0.0.1:9/x\"\nuser = \"u\"\n\(key)\n", in: scope)
        }
        let file = scope.path("nothing")
        expect(66, "password file \(file): No such file or directory", run("password_file = \"\(file)\""))
        expect(
            66, "the environment variable GLIMPSE_NO_SUCH for the camera's password is not set",
            run("password_env = \"GLIMPSE_NO_SUCH\""))
        expect(
            66, "no systemd credentials: this process is not a systemd service; use password_file",
            run("password_credential = \"cam\""))
    }
}
