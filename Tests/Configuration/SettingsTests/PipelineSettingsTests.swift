// SPDX-License-Identifier: Apache-2.0
import BarcodeValues
import Foundation
import Testing

@testable import Settings

/// Valid pipeline files and their settings.
struct PipelineSettingsTests {
    @Test func theShortestPipelineFileMeansAllDefaults() throws {
        let text = "source.kind = \"test\"\n[face]\n[barcode]\n[object]\n[scene]\n"
        let settings = try PipelineSettings.parse(text, file: "pipelines/door.toml")
        var expected = PipelineSettings(name: "door", source: SourceSettings(kind: .test()))
        expected.detectors = [
            ConfiguredDetector(.face(FaceSettings())), ConfiguredDetector(.barcode(BarcodeSettings())),
            ConfiguredDetector(.object(ObjectSettings())), ConfiguredDetector(.scene(SceneSettings())),
        ]
        expected.file = "pipelines/door.toml"
        #expect(settings == expected)
    }

    @Test func anAbsentDetectorDoesNotRun() throws {
        let settings = try PipelineSettings.parse("source.kind = \"test\"\n[face]\nenabled = false\n")
        #expect(settings.detectors.map(\.name) == ["face"] && settings.runningDetectors.isEmpty)
        #expect(settings.name == "pipeline")
    }

    /// Every key of the detectors with its documented default. The test fails if a default changes.
    @Test func writtenDefaultsAreTheDefaults() throws {
        let text = """
            name = "pipeline"
            enabled = true
            tags = {}
            [source]
            kind = "test"
            pattern = "scene"
            frames = 0
            rotation = "auto"
            mirror = false
            every = 1
            stall_limit = "10s"
            on_demand = false
            [face]
            enabled = true
            model = "auto"
            mode = "fast"
            landmarks = true
            classification = false
            min_size = 0.1
            check_min_size = true
            prominent_only = false
            confidence = 0.7
            roi = [0.0, 0.0, 1.0, 1.0]
            max_rate = 0
            device = "CPU"
            threads = 1
            [face.tracking]
            focus = "none"
            [barcode]
            formats = ["all"]
            effort = "adaptive"
            scan = "stream"
            identity = "value+position"
            confirm_reads = "auto"
            report_undecoded = false
            cooldown = "0s"
            allow = []
            deny = []
            parse_values = true
            redact = []
            [object]
            model = "auto"
            mode = "stream"
            multiple = true
            max_objects = 5
            classify = false
            class_agnostic = false
            any = false
            labels = []
            confidence = 0.5
            label_confidence = 0
            max_labels = 10
            min_size = 0
            still_after = "30s"
            [scene]
            model = "auto"
            top = 3
            confidence = 0.9
            max_rate = 2
            """
        let short = "source.kind = \"test\"\n[face]\n[barcode]\n[object]\n[scene]\n"
        #expect(try PipelineSettings.parse(text) == PipelineSettings.parse(short))
    }

    @Test func everyDetectorKeyIsRead() throws {
        let text = """
            enabled = false
            tags = { site = "north", floor = "2" }
            [source]
            kind = "images"
            path = "/pictures/*.jpg"
            loop = true
            pace = "realtime"
            width = 640
            height = 480
            fps = "30000/1001"
            rotation = 270
            mirror = true
            every = 5
            stall_limit = "1h"
            on_demand = true
            linger = "1m"
            [face]
            model = "cascade"
            mode = "accurate"
            landmarks = false
            classification = true
            min_size = 0.35
            check_min_size = false
            prominent_only = true
            confidence = 1
            roi = [0.1, 0.2, 0.9, 0.8]
            max_rate = 2.5
            device = "GPU"
            threads = 4
            tracking = { preset = "erratic", hits = 3, max_gap = "2s", max_gap_frames = 0, focus = "largest-face" }
            [barcode]
            formats = ["qr_code", "ean_13"]
            effort = "hard"
            scan = "frame"
            identity = "value"
            confirm_reads = 2
            report_undecoded = true
            cooldown = "5s"
            allow = ["^https://", "^[0-9]{8,13}$"]
            deny = ["example"]
            parse_values = false
            redact = ["wifi.password", "driver_license", "driver_license.number", "gs1.21"]
            tracking.focus = "value"
            tracking.focus_value = "4006381333931"
            [object]
            mode = "single"
            multiple = false
            max_objects = 1
            classify = true
            class_agnostic = true
            labels = ["person"]
            label_confidence = 0.3
            max_labels = 3
            min_size = 0.05
            still_after = "1m"
            roi = [0, 0, 0.5, 1]
            max_rate = 5
            device = "AUTO"
            threads = 2
            confidence = 0.4
            model = "yolox_nano_416"
            [object.tracking]
            focus = "prominent"
            low = 0.2
            high = 0.5
            birth = 0.6
            certain = 1
            capacity = 32
            camera_shift = false
            smoothed_box = true
            confusable = [["car", "truck"], ["cat", "dog", "bear"]]
            """
        let settings = try PipelineSettings.parse(text)
        #expect(!settings.enabled)
        #expect(settings.tags == ["floor": "2", "site": "north"])
        let source = SourceSettings(
            kind: .images(path: "/pictures/*.jpg", loop: true, pace: .realtime), width: 640, height: 480,
            fps: FrameRate(30000, 1001), rotation: .fixed(.twoSeventy), mirror: true, every: 5,
            stallLimit: .seconds(3600),
            onDemand: true, linger: .seconds(60))
        #expect(settings.source == source)

        var face = FaceSettings()
        face.model = "cascade"
        face.mode = .accurate
        face.landmarks = false
        face.classification = true
        face.minSize = 0.35
        face.checkMinSize = false
        face.prominentOnly = true
        face.confidence = 1
        face.common = DetectorSettings(roi: .init(x: 0.1, y: 0.2, width: 0.9, height: 0.8), maxRate: 2.5)
        face.device = "GPU"
        face.threads = 4
        face.tracking = TrackingSettings(
            preset: .erratic, hits: 3, maxGap: .seconds(2), maxGapFrames: 0, focus: .largestFace)
        #expect(settings[FaceSettings.self] == face)

        var barcode = BarcodeSettings()
        barcode.formats = [.qrCode, .ean13]
        barcode.effort = .hard
        barcode.scan = .frame
        barcode.identity = .value
        barcode.confirmReads = .count(2)
        barcode.reportUndecoded = true
        barcode.cooldown = .seconds(5)
        barcode.allow = [try ValuePattern("^https://"), try ValuePattern("^[0-9]{8,13}$")]
        barcode.deny = [try ValuePattern("example")]
        barcode.parseValues = false
        barcode.redact = [
            try #require(.init(.wifi, field: "password")), .init(.driverLicense),
            try #require(.init(.driverLicense, field: "license_number")), try #require(.init(.gs1, field: "21")),
        ]
        barcode.tracking.focus = .value
        barcode.tracking.focusValue = "4006381333931"
        #expect(settings[BarcodeSettings.self] == barcode)

        var object = ObjectSettings()
        object.mode = .single
        object.multiple = false
        object.maxObjects = 1
        object.classify = true
        object.classAgnostic = true
        object.labels = ["person"]
        object.labelConfidence = 0.3
        object.maxLabels = 3
        object.minSize = 0.05
        object.stillAfter = .seconds(60)
        object.common = DetectorSettings(roi: .init(x: 0, y: 0, width: 0.5, height: 1), maxRate: 5)
        object.device = "AUTO"
        object.threads = 2
        object.confidence = 0.4
        object.model = "yolox_nano_416"
        object.tracking.focus = .prominent
        object.tracking.low = 0.2
        object.tracking.high = 0.5
        object.tracking.birth = 0.6
        object.tracking.certain = 1
        object.tracking.capacity = 32
        object.tracking.cameraShift = false
        object.tracking.smoothedBox = true
        object.tracking.confusable = [["car", "truck"], ["cat", "dog", "bear"]]
        #expect(settings[ObjectSettings.self] == object)
    }

    @Test(arguments: [
        ("kind = \"v4l2\"\ndevice = \"/dev/video0\"", SourceKind.v4l2(device: "/dev/video0"), true, Pace.realtime),
        ("kind = \"file\"\npath = \"/a.mp4\"", .file(path: "/a.mp4"), false, .fast),
        (
            "kind = \"file\"\npath = \"/a.mp4\"\npace = \"realtime\"", .file(path: "/a.mp4", pace: .realtime), false,
            .realtime
        ),
        ("kind = \"images\"\npath = \"/a\"\nloop = true", .images(path: "/a", loop: true), false, .fast),
        ("kind = \"test\"", .test(pattern: "scene", frames: 0), true, .realtime),
        ("kind = \"test\"\npattern = \"ball\"\nframes = 9", .test(pattern: "ball", frames: 9), false, .fast),
        ("kind = \"launch\"\nlaunch = \"videotestsrc\"", .launch("videotestsrc"), true, .realtime),
        (
            "kind = \"launch\"\nlaunch = \"s user-pw = '{password}'\"\npassword_env = \"P\"",
            .launch("s user-pw = '{password}'", password: .environment("P")), true, .realtime
        ),
        (
            "kind = \"rtsp\"\nurl = \"RTSPS://camera:8554/s\"", .rtsp(RTSPSettings(url: "RTSPS://camera:8554/s")), true,
            .realtime
        ),
    ])
    func eachKindOfSourceIsRead(text: String, kind: SourceKind, isLive: Bool, pace: Pace) throws {
        let source = try PipelineSettings.parse("[source]\n" + text).source
        #expect(source.kind == kind)
        #expect(source.isLive == isLive)
        #expect(source.pace == pace)
    }

    @Test(arguments: [
        ("password_file = \"/p\"", PasswordSource.file("/p")), ("password_env = \"CAM\"", .environment("CAM")),
        ("password_credential = \"door\"", .credential("door")),
    ])
    func passwordsOfSourcesAreRead(line: String, password: PasswordSource) throws {
        let text =
            "[source]\nkind = \"rtsp\"\nurl = \"rtsp://c/s\"\nuser = \"viewer\"\n\(line)\ntransport = \"udp\"\nlatency = \"0s\"\n"
        let expected = RTSPSettings(
            url: "rtsp://c/s", user: "viewer", password: password, transport: .udp, latency: .zero)
        #expect(try PipelineSettings.parse(text).source.kind == .rtsp(expected))
    }

    @Test func relativePathsStartAtThePipelineFile() throws {
        let text = "[source]\nkind = \"file\"\npath = \"clip.mp4\"\n"
        let kind = { (file: String?) in try PipelineSettings.parse(text, file: file).source.kind }
        #expect(try kind("/etc/glimpsed/pipelines/a.toml") == .file(path: "/etc/glimpsed/pipelines/clip.mp4"))
        let here = FileManager.default.currentDirectoryPath
        #expect(try kind("pipelines/a.toml") == .file(path: "\(here)/pipelines/clip.mp4"))
        #expect(try kind("./a.toml") == .file(path: "\(here)/clip.mp4"))
        #expect(try kind(nil) == .file(path: "\(here)/clip.mp4"))
        let given = try PipelineSettings.parse(
            text, file: "pipelines/a.toml", overrides: [("source.path", "other.mp4")])
        #expect(given.source.kind == .file(path: "\(here)/other.mp4"))
    }

    @Test func aPipelineFilesNameMustBeAValidPipelineName() {
        let text = "source.kind = \"test\"\n"
        #expect(pipelineProblems(text, file: "pipelines/door-1.v2.toml").isEmpty)
        #expect(
            pipelineProblems(text, file: "pipelines/Haus tür.toml") == [
                "pipelines/Haus tür.toml: the file's name as the pipeline's must be 1 to 64 letters, digits, '.', '_' or "
                    + "'-' that begin with a letter, digit or '_', not \"Haus tür\"; set the key name"
            ])
        #expect(pipelineProblems("name = \"door\"\n" + text, file: "pipelines/Haus tür.toml").isEmpty)
    }

    @Test func problemsOfAPipelineFileAreReportedAtOnceByLine() {
        let text = "[face]\nmin_size = 2\n[source]\nkind = \"test\"\nwidht = 1\n[barcode]\neffort = \"x\"\nname = 1\n"
        #expect(
            pipelineProblems(text) == [
                "p.toml:2: [face] min_size must be 0 to 1, not 2",
                "p.toml:5: [source] unknown key \"widht\"; did you mean \"width\"?",
                "p.toml:7: [barcode] effort must be one of \"adaptive\", \"fast\", \"thorough\", \"hard\", not \"x\"",
                "p.toml:8: [barcode] unknown key \"name\"; one of allow, confirm_reads, cooldown, deny, effort, enabled, "
                    + "formats, identity, max_rate, parse_values, redact, report_undecoded, roi, scan, tracking",
            ])
        #expect(
            pipelineProblems("") == ["p.toml: there is no [source] table; it says where the frames come from"])
    }

    @Test func problemsBeyondTheLimitAreCounted() {
        let problems = pipelineProblems((1...250).map { "zzzzzz\($0) = 1\n" }.joined())
        #expect(problems.count == 101)
        #expect(problems.last == "p.toml: and 151 more problems")
    }
}
