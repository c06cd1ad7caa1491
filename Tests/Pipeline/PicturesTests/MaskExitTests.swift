// SPDX-License-Identifier: Apache-2.0
import Assembly
import Foundation
import Detectors
import Frames
import GStreamerSource
import GlimpseTesting
import Installation
import Observations
import Pictures
import Pipelines
import Settings
import Synchronization
import Testing

/// Random masks over films of random formats, sizes and orientations, in the pictures of every exit of a pipeline.
@Suite(.serialized) struct MaskExitTests {
    private let scope = TestScope()

    /// JPEG mixes the samples of one block of 16 pixels.
    private static let block = 16
    /// The turn that the film gets before `rotation` turns it back.
    private static let turns = [0: "identity", 90: "90l", 180: "180", 270: "90r"]

    /// Random triangles, large enough that they show in pictures.
    private static func triangles(_ random: inout SeededRandom) -> [Zone] {
        func point() -> Point { Point(x: .random(in: 0...1, using: &random), y: .random(in: 0...1, using: &random)) }
        var zones: [Zone] = []
        while zones.count < 2 {
            let (a, b, c) = (point(), point(), point())
            let area = abs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) / 2
            if area > 0.08 { zones.append(Zone(name: "m\(zones.count)", polygon: [a, b, c])) }
        }
        return zones
    }

    /// The samples of masked pixels that are not grey, and the number of masked pixels.
    ///
    /// - Parameters:
    ///   - x: the place of the picture in its frame of `width` and `height` pixels.
    ///   - reach: pixels nearer to a mask's edge are not judged.
    private static func leaks(
        _ picture: Frame, x: Int = 0, y: Int = 0, of width: Int, _ height: Int, _ zones: [Zone], reach: Int,
        tolerance: Int
    ) -> (leaks: Int, masked: Int) {
        var (leaks, masked) = (0, 0)
        let corners = [(-reach, -reach), (-reach, reach), (reach, -reach), (reach, reach)]
        picture.withPlanes { planes in
            for row in 0..<picture.height {
                for column in 0..<picture.width {
                    // A triangle that contains the corners of a square contains the square.
                    let isMasked = zones.contains { zone in
                        corners.allSatisfy { dx, dy in
                            zone.contains(
                                Point(
                                    x: (Float(column + x + dx) + 0.5) / Float(width),
                                    y: (Float(row + y + dy) + 0.5) / Float(height)))
                        }
                    }
                    guard isMasked else { continue }
                    masked += 1
                    if abs(Int(planes[0].base[row * planes[0].stride + column]) - 128) > tolerance { leaks += 1 }
                }
            }
        }
        return (leaks, masked)
    }

    @Test(.enabled(if: SharedData.has("media/video")), arguments: Fuzz.seeds(6))
    func noExitShowsAMaskedPixel(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let zones = Self.triangles(&random)
        let rotation = try #require([0, 90, 180, 270].randomElement(using: &random))
        let mirror = Bool.random(using: &random)
        // The stream's own tag asks for the turn, or a key does.
        let tags = ["rotate-\(rotation)", "flip-rotate-\((360 - rotation) % 360)"]
        let tag = Bool.random(using: &random) ? tags.randomElement(using: &random) : nil
        let format = try #require(["NV12", "I420", "GRAY8", "YUY2", "RGB", "BGRx"].randomElement(using: &random))
        let film = try #require(["asl_help.mkv", "asl_book.mkv", "asl_again.mkv"].randomElement(using: &random))
        let (width, height) = (
            2 * Int.random(in: 130...320, using: &random), 2 * Int.random(in: 100...240, using: &random)
        )
        let masks = zones.map { zone in
            let corners = zone.polygon.map { "[\($0.x), \($0.y)]" }.joined(separator: ", ")
            return "[[mask]]\nname = \"\(zone.name)\"\npolygon = [\(corners)]"
        }
        let text = """
            [source]
            kind = "launch"
            rotation = \(tag == nil ? "\(rotation)" : "\"auto\"")
            mirror = \(mirror)
            launch = \"\"\"
            filesrc location=\(SharedData.path("media/video/\(film)")) ! decodebin ! videoconvert ! videoscale !
            video/x-raw,width=\(width),height=\(height) ! clocksync !
            videoflip video-direction=\(Self.turns[rotation] ?? "identity") !
            videoconvert ! video/x-raw,format=\(format)\(tag.map { " ! taginject tags=image-orientation=\($0)" } ?? "")
            \"\"\"
            [face]
            min_size = 0.05
            [snapshot]
            on = ["detected", "best", "completed"]
            max_width = 8192
            margin = 1.0
            quality = 95
            [clip]
            on = ["face"]
            before = "1s"
            after = "1s"
            covered = "encode"
            \(masks.joined(separator: "\n"))
            """
        let crash = scope.path("crash.y4m")
        let command = scope.path("command.jpg")
        let run = PipelineAssembly(
            try PipelineSettings.parse(text), resources: .ofThisProcess(), crashFile: crash,
            pictures: .folder(scope.path("pictures")), clips: ClipPlace(folder: scope.path("clips")))
        let answers = Mutex<[String?]>([])
        run.snapshots.request(command, isCaptioned: false) { answer in answers.withLock { $0.append(answer) } }
        let viewer = RecordingViewer()
        run.viewers.add(viewer.descriptor, width: width, rate: 4)
        // A film as `launch` source ends as a live source that was lost.
        let sink = RecordingSink()
        _ = run.run(into: sink, complain: { _ in })
        #expect(answers.withLock { $0 } == [nil], "\(text)")

        let whole = try GStreamerSource.picture(of: command)
        #expect((whole.width, whole.height) == (width, height))
        let shown = Self.leaks(whole, of: width, height, zones, reach: Self.block, tolerance: 6)
        #expect(shown.leaks == 0 && shown.masked > 500, "\(shown) \(text)")

        let streamed = try viewer.pictures()
        #expect(!streamed.isEmpty)
        for picture in streamed {
            let path = scope.write("streamed.jpg", bytes: picture)
            let found = Self.leaks(
                try GStreamerSource.picture(of: path), of: width, height, zones, reach: Self.block, tolerance: 6)
            #expect(found.leaks == 0 && found.masked > 500, "\(found) \(text)")
        }

        for frame in try Self.frames(crash, width, height) {
            let kept = Self.leaks(frame, of: width, height, zones, reach: 1, tolerance: 0)
            #expect(kept.leaks == 0 && kept.masked > 1000, "\(kept) \(text)")
        }

        // A film with a face has a clip.
        let clips = try CoveredClipTests.frames(ofClipsIn: scope.path("clips"))
        #expect(clips.isEmpty != sink.text.contains(#""type":"detected""#), "\(text)")
        for frame in clips {
            // Decoders give limited range, in which the paint has another value.
            let found = Self.leaks(frame, of: width, height, zones, reach: 2 * Self.block, tolerance: 8)
            #expect((frame.width, frame.height) == (width, height) && found.leaks == 0, "\(found) \(text)")
        }

        let folder = scope.path("pictures")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        var crops = 0
        for name in names where name.hasSuffix(".jpg") {
            let data = try Data(contentsOf: URL(filePath: "\(folder)/\(name.dropLast(4)).json"))
            let json = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
            let box = try #require(json["box"] as? [String: Double])
            let track = Box(
                x: Float(box["x"] ?? 0), y: Float(box["y"] ?? 0), width: Float(box["w"] ?? 0),
                height: Float(box["h"] ?? 0))
            let view = try #require(SnapshotRules.Region.crop(margin: 1).view(of: track, in: whole))
            let crop = try GStreamerSource.picture(of: "\(folder)/\(name)")
            #expect(abs(crop.width - view.width) <= 2 && abs(crop.height - view.height) <= 2)
            let found = Self.leaks(
                crop, x: view.x, y: view.y, of: width, height, zones, reach: Self.block + 2, tolerance: 6)
            #expect(found.leaks == 0, "\(name): \(found) \(text)")
            crops += 1
        }
        print(
            "masks: \(film) \(width)x\(height) \(format) \(rotation) \(tag ?? "") mirror \(mirror): \(crops) crops, \(streamed.count) streamed, \(clips.count) in clips, \(shown.masked) masked pixels"
        )
    }

    /// The crop that a search stores shows neither a masked pixel nor a face.
    @Test(
        .enabled(if: SharedData.has("media/images/face/astronaut.png")), arguments: [[], ["face"]] as [[String]],
        Fuzz.seeds(2))
    func theCropOfASearchShowsNoMaskedPixelAndNoFace(blur: [String], seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        // A mask on the left that leaves the face in view.
        let (top, bottom) = (Float.random(in: 0...0.15, using: &random), Float.random(in: 0.45...0.6, using: &random))
        let photograph = try TestFile.read(SharedData.path("media/images/face/astronaut.png"))
        for number in 10..<20 { scope.write("film/\(number).png", bytes: photograph) }
        let zone = Zone(
            name: "left",
            polygon: [Point(x: 0, y: 0), Point(x: top, y: 0), Point(x: bottom, y: 1), Point(x: 0, y: 1)])
        let text = """
            [source]
            kind = "images"
            path = "\(scope.path("film"))"
            fps = 10
            [object]
            [face]
            [privacy]
            blur = [\(blur.map { "\"\($0)\"" }.joined())]
            [search]
            source = "any"
            reticle.radius = 0.5
            [[mask]]
            name = "left"
            polygon = [[0, 0], [\(top), 0], [\(bottom), 1], [0, 1]]
            """
        let settings = try PipelineSettings.parse(text)
        let folder = scope.path("pictures")
        let run = PipelineAssembly(settings, resources: .ofThisProcess(), pictures: .folder(folder))
        let sink = RecordingSink()
        #expect(run.run(into: sink, complain: { _ in }) == .ended)
        let searching = try #require(
            try sink.events.map { try StreamLine($0.line) }.first { $0.text.contains(#""state":"searching""#) })
        let event = try #require(JSONSerialization.jsonObject(with: Data(searching.text.utf8)) as? [String: Any])
        let box = try #require(event["box"] as? [String: Double])
        let object = Box(
            x: Float(box["x"] ?? 0), y: Float(box["y"] ?? 0), width: Float(box["w"] ?? 0),
            height: Float(box["h"] ?? 0))
        let whole = try GStreamerSource.picture(of: SharedData.path("media/images/face/astronaut.png"))
        let view = try #require(SnapshotRules.Region.crop(margin: 0.1).view(of: object, in: whole))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        let name = try #require(names.first { $0.hasSuffix(".jpg") && $0.contains("-search-") })
        let crop = try GStreamerSource.picture(of: "\(folder)/\(name)")
        #expect(abs(crop.width - view.width) <= 2 && abs(crop.height - view.height) <= 2)
        let found = Self.leaks(
            crop, x: view.x, y: view.y, of: whole.width, whole.height, [zone], reach: Self.block + 2, tolerance: 6)
        #expect(found.leaks == 0 && found.masked > 1000, "\(found)")
        let lanes = settings.lanes(models: ResourceFolders.ofThisProcess().models)
        let face = try #require(lanes.first { $0.detector.name == "face" })
        let faces = try face.detector.makeDetector().detector.detect(in: crop)
        #expect(faces.isEmpty == (blur == ["face"]), "\(faces)")
    }

    /// The frames of a file of crash frames.
    private static func frames(_ path: String, _ width: Int, _ height: Int) throws -> [Frame] {
        let bytes = try TestFile.read(path)
        let header = Array("FRAME XNUMBER=".utf8)
        let size = width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2)
        var frames: [Frame] = []
        var start = bytes.firstIndex(of: 10).map { $0 + 1 } ?? bytes.count
        while start + header.count + 21 + size <= bytes.count, bytes[start...].starts(with: header) {
            let data = start + header.count + 21
            frames.append(GreyFrame(Array(bytes[data..<data + width * height]), width, height).frame)
            start = data + size
        }
        #expect(!frames.isEmpty)
        return frames
    }

    /// A frame of luma.
    private final class GreyFrame: Sendable {
        let frame: Frame

        init(_ samples: [UInt8], _ width: Int, _ height: Int) {
            let memory = Memory(samples)
            frame = Frame(
                info: FrameInfo(
                    sequence: 1, presentationTime: 0, time: Timestamp(nanoseconds: 0), clock: .file, width: width,
                    height: height), format: .gray8, planes: [Plane(base: UnsafePointer(memory.base), stride: width)],
                storage: memory)
        }
    }

    private final class Memory {
        let base: UnsafeMutablePointer<UInt8>

        init(_ samples: [UInt8]) {
            base = .allocate(capacity: samples.count)
            base.update(from: samples, count: samples.count)
        }

        deinit { base.deallocate() }
    }
}
