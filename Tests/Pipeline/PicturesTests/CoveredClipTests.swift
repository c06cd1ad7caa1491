// SPDX-License-Identifier: Apache-2.0
import Assembly
import Detectors
import Foundation
import Frames
import GStreamerSource
import GlimpseTesting
import Installation
import LaneSettings
import Observations
import PictureEncoding
import PictureRelease
import Pipelines
import Settings
import Synchronization
import Testing

/// Clips that the worker encodes from covered pictures.
@Suite(.serialized) struct CoveredClipTests {
    private let scope = TestScope()

    /// The pictures of all clips in a folder.
    static func frames(ofClipsIn folder: String) throws -> [Frame] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return try names.filter { $0.hasSuffix(".mp4") }.sorted().flatMap { try frames(of: "\(folder)/\($0)") }
    }

    private static func frames(of file: String) throws -> [Frame] {
        let source = GStreamerSource(SourceSettings(kind: .file(path: file)))
        try source.start()
        defer { source.stop() }
        var frames: [Frame] = []
        while true {
            switch source.next(timeout: .seconds(60)) {
            // The copy keeps no buffer of the source.
            case .frame(let frame): frames.append(FrameCopy(frame).frame)
            case .ended: return frames
            case .failed(let error): throw error
            case .nothing: continue
            }
        }
    }

    /// Runs a film with a face as a camera, until the face has been followed for some frames.
    private func run(_ text: String) throws -> (lines: [String], complaints: [String]) {
        let settings = try PipelineSettings.parse(
            """
            [source]
            kind = "file"
            path = "\(SharedData.path("media/video/asl_help.mkv"))"
            pace = "realtime"
            loop = true
            [face]
            min_size = 0.05
            [clip]
            on = ["face"]
            before = "1s"
            after = "1s"
            covered = "encode"
            \(text)
            """)
        let run = PipelineAssembly(
            settings, resources: .ofThisProcess(), clips: ClipPlace(folder: scope.path("clips")))
        let sink = RecordingSink()
        let complaints = Mutex<[String]>([])
        let (start, limit) = (ContinuousClock.now, Duration.seconds(300))
        var frames = 0
        _ = run.run(into: sink, complain: { text in complaints.withLock { $0.append(text) } }) { _ in
            frames += 1
            guard frames % 10 == 0 else { return }
            // On a busy machine the detector sees few frames.
            let seen = sink.text.components(separatedBy: #""type":"update""#).count - 1
            let time = ContinuousClock.now - start
            if seen >= 40 || seen >= 8 && time > .seconds(60) || time > limit { run.stop(.shutdown) }
        }
        return (sink.lines.map { String(decoding: $0, as: UTF8.self) }, complaints.withLock(\.self))
    }

    private struct Clip: Decodable {
        var type: String
        var frames: Int
        var bytes: Int
        var reasons: [String]
    }

    private func clips(_ lines: [String]) throws -> [Clip] {
        try lines.filter { $0.contains(#""type":"clip""#) }.map {
            try JSONDecoder().decode(Clip.self, from: Data($0.utf8))
        }
    }

    /// With a mask alone, faces are seen; with `blur`, none is.
    @Test(.enabled(if: SharedData.has("media/video")), arguments: [false, true])
    func aClipShowsNoCoveredFace(isCovered: Bool) throws {
        let blur = "[privacy]\nblur = [\"face\"]\nstyle = \"fill\""
        let corner = "[[mask]]\nname = \"corner\"\npolygon = [[0, 0], [0.1, 0], [0, 0.1]]"
        let result = try run(isCovered ? blur : corner)
        let told = try clips(result.lines)
        let frames = try Self.frames(ofClipsIn: scope.path("clips"))
        #expect(!told.isEmpty && told.reduce(0) { $0 + $1.frames } == frames.count, "\(told) \(result.complaints)")
        #expect(frames.count >= 5 && told.allSatisfy { $0.reasons == ["face"] })
        let settings = try PipelineSettings.parse("[source]\nkind = \"test\"\n[face]\nmin_size = 0.05")
        let lane = try #require(settings.lanes(models: ResourceFolders.ofThisProcess().models).first)
        let detector = try lane.detector.makeDetector().detector
        let faces = try frames.count { try !detector.detect(in: $0).isEmpty }
        #expect(isCovered ? faces == 0 : faces > frames.count / 2, "\(faces) of \(frames.count)")
        // At most 10 pictures a second, in their order.
        let times = frames.map(\.info.presentationTime)
        for (time, next) in zip(times, times.dropFirst()) { #expect(next - time >= 94_000_000) }
    }

    /// The detector that `blur` needs is absent, so no picture may leave, and a code makes no clip.
    @Test func noClipIsMadeOfPicturesThatAreWithheld() throws {
        let text = """
            [source]
            kind = "test"
            [barcode]
            [face]
            model = "no-such-model"
            [privacy]
            blur = ["face"]
            [clip]
            on = ["barcode"]
            covered = "encode"
            """
        let run = PipelineAssembly(
            try PipelineSettings.parse(text), resources: .ofThisProcess(),
            clips: ClipPlace(folder: scope.path("clips")))
        let sink = RecordingSink()
        var frames = 0
        _ = run.run(into: sink, complain: { _ in }) { _ in
            frames += 1
            if sink.text.contains(#""type":"update""#) || frames == 2000 { run.stop(.shutdown) }
        }
        #expect(sink.text.contains(#""type":"detected""#) && !sink.text.contains(#""type":"clip""#))
        #expect(try Self.frames(ofClipsIn: scope.path("clips")).isEmpty)
    }

    /// The camera's own video is released only where nothing is covered.
    @Test func cameraVideoIsReleasedOnlyWithoutMaskAndBlur() {
        let video = CoveredVideo(PictureRelease(CoverRules()), length: .seconds(1)) { _ in }
        let camera = EncodedStore(ring: .seconds(1), bytes: 1 << 20)
        #expect(PictureRelease(CoverRules()).releaseAtOnce(camera) != nil)
        for rules in [
            CoverRules(hasMasks: true), CoverRules(detectors: ["face": .all]), CoverRules(allowsPictures: false),
        ] {
            #expect(PictureRelease(rules).releaseAtOnce(camera) == nil)
        }
        #expect(PictureRelease(CoverRules(hasMasks: true)).releaseAtOnce(pictures: video) != nil)
        #expect(PictureRelease(CoverRules(allowsPictures: false, hasMasks: true)).releaseAtOnce(pictures: video) == nil)
    }

    /// A film whose pictures change their size and their time.
    @Test func coveredVideoGoesOnAfterAChangeOfSizeAndAPause() throws {
        let release = PictureRelease(CoverRules(hasMasks: true))
        let complaints = Mutex<[String]>([])
        let video = CoveredVideo(release, length: .seconds(200_000)) { text in complaints.withLock { $0.append(text) } }
        var shown: [Int64] = []
        func show(_ seconds: Double, _ painter: FramePainter) {
            let before = video.fill.frames
            let frame = painter.frame(shown.count + 1, seconds: seconds)
            video.offer(frame)
            let deadline = ContinuousClock.now + .seconds(60)
            while video.fill.frames == before, ContinuousClock.now < deadline { usleep(1000) }
            shown.append(frame.info.presentationTime)
        }
        let (small, large) = (FramePainter(width: 161, height: 91), FramePainter(width: 320, height: 180))
        for step in 0..<4 { show(Double(step) / 10, small) }
        for step in 4..<6 { show(Double(step) / 10, large) }
        // A picture that comes too early is left out.
        video.offer(large.frame(100, seconds: 0.52))
        show(20, large)
        show(20.1, large)
        show(100_000, large)
        video.end()
        let frames = video.frames(after: 0)
        #expect(frames.map(\.presentationTime) == shown && complaints.withLock(\.self) == [])
        #expect(frames.map(\.isKey) == [true, false, false, false, true, false, true, false, true])
        #expect(frames[3].format != frames[4].format && frames[4].format == frames[6].format)
    }
}
