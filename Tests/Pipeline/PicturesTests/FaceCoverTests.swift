// SPDX-License-Identifier: Apache-2.0
import Assembly
import Detectors
import Frames
import GStreamerSource
import Glibc
import GlimpseTesting
import Installation
import LaneSettings
import Observations
import PictureRelease
import Pipelines
import Settings
import Synchronization
import Testing
import Tracking

/// Faces that the most careful search finds, in the pictures that leave beside the usual search.
@Suite(.serialized) struct FaceCoverTests {
    private static let films = [
        "asl_again.mkv", "asl_book.mkv", "asl_help.mkv", "head-pose-face-detection-female.gif",
        "face-demographics-walking.gif", "classroom.gif",
    ]
    /// A face is covered if this share of its box is grey.
    fileprivate static let coveredShare = 0.95

    /// The detector's table in a pipeline that covers faces.
    private static func settings(_ face: String) throws -> PipelineSettings {
        try PipelineSettings.parse(
            "[source]\nkind = \"test\"\n[face]\n\(face)\n[privacy]\nblur = [\"face\"]\nstyle = \"fill\"")
    }

    private static func lanes(_ settings: PipelineSettings) -> [LaneConfiguration] {
        settings.lanes(models: ResourceFolders.ofThisProcess().models)
    }

    private static func frames(of film: String) throws -> [Frame] {
        var source = SourceSettings(kind: .file(path: SharedData.path("media/video/\(film)")))
        source.stallLimit = .seconds(60)
        let reader = GStreamerSource(source)
        try reader.start()
        defer { reader.stop() }
        var frames: [Frame] = []
        while true {
            switch reader.next(timeout: .seconds(60)) {
            // The copy keeps no buffer of the source.
            case .frame(let frame): frames.append(FrameCopy(frame).frame)
            case .ended: return frames
            case .failed(let error): throw error
            case .nothing: continue
            }
        }
    }

    /// The faces of a film that the most careful search finds, and the frames that they are in.
    private static func known(_ film: String) throws -> [(frame: Frame, faces: [Box])] {
        let frames = try frames(of: film)
        if let boxes = found.withLock({ $0[film] }) { return zip(frames, boxes).map { ($0, $1) } }
        let careful = try #require(lanes(try settings("mode = \"accurate\"\nmin_size = 0.03")).first)
        let detector = try careful.detector.makeDetector().detector
        let boxes = try frames.map { try detector.detect(in: $0).map(\.box) }
        found.withLock { $0[film] = boxes }
        return zip(frames, boxes).map { ($0, $1) }
    }

    /// The boxes by film and frame, so that the tests search each film once.
    private static let found = Mutex<[String: [[Box]]]>([:])

    /// The faces in pictures that left.
    private struct Tally {
        var faces = 0
        var missed: [String] = []
        /// The grey share of each picture.
        var grey: [Double] = []

        mutating func add(_ picture: Frame, _ known: [Box], _ name: String) {
            grey.append(
                FaceCoverTests.greyShare(
                    of: Box(x: 0, y: 0, width: Float(picture.width), height: Float(picture.height)), in: picture))
            for box in known {
                faces += 1
                let share = FaceCoverTests.greyShare(of: box, in: picture)
                guard share < FaceCoverTests.coveredShare else { continue }
                let place = [box.x, box.y, box.width, box.height].map { Int($0) }
                missed.append("\(name), frame \(picture.info.sequence): \(place), \(Int(100 * share)) % covered")
            }
        }

        /// At least 99.5 % of the faces are covered. Prints each missed one.
        ///
        /// - Parameter listed: the misses that the privacy page lists, which a short film may have too.
        func check(atLeast least: Int, except listed: [String] = []) {
            for face in missed { print("not covered: \(face)") }
            let mean = 100 * grey.reduce(0, +) / Double(max(1, grey.count))
            print("covered: \(faces - missed.count) of \(faces) faces; \(mean) % of \(grey.count) pictures is grey")
            let others = missed.filter { !listed.contains($0) }
            #expect(faces >= least && Double(others.count) <= 0.005 * Double(faces), "\(others) of \(faces)")
        }
    }

    @Test(.enabled(if: SharedData.has("media/video"))) func facesAreCoveredInEveryPictureThatLeaves() throws {
        var tally = Tally()
        for film in Self.films {
            let known = try Self.known(film)
            for rate in [5.0, 10, 15, 30] {
                let settings = try Self.settings("min_size = 0.03")
                let release = PictureRelease(CoverRules(settings))
                var lanes = Self.lanes(settings)
                for index in lanes.indices { lanes[index].release = release }
                let detectors = MultiDetector(lanes, delivery: .every) { _, _ in nil }
                try detectors.waitUntilOperational()
                var due = 0.0
                for (frame, faces) in known where frame.info.seconds >= due - 1e-6 {
                    due = max(due, frame.info.seconds) + 1 / rate
                    detectors.receive(frame)
                    let left = Mutex<Frame?>(nil)
                    release.release(release.hold(frame)) { result in left.withLock { $0 = try? result.get().frame } }
                    let result = left.withLock { $0 }
                    tally.add(try #require(result), faces, "\(film) at \(rate)/s")
                }
            }
        }
        tally.check(atLeast: 1000)
    }

    /// A needed detector that is too slow looks at few frames. Pictures of others do not leave.
    @Test(.enabled(if: SharedData.has("media/video"))) func facesAreCoveredBesideADetectorThatIsTooSlow() throws {
        var tally = Tally()
        for film in Self.films {
            let known = try Self.known(film)
            let settings = try Self.settings("min_size = 0.03")
            var rules = CoverRules(settings)
            rules.detectors["slow"] = .all
            let release = PictureRelease(rules)
            let slow = ScriptedDetectorFactory("slow") { _ in
                usleep(80_000)
                return []
            }
            var lanes = Self.lanes(settings)
            lanes.append(LaneConfiguration(detector: slow, tracking: TrackerConfiguration.face))
            for index in lanes.indices { lanes[index].release = release }
            let left = Mutex<[UInt64: Frame]>([:])
            var detectors: MultiDetector? = MultiDetector(lanes, delivery: .newest) { _, _ in nil }
            try detectors?.waitUntilOperational()
            for (frame, _) in known {
                detectors?.receive(frame)
                release.release(release.hold(frame)) { result in
                    if let picture = try? result.get() {
                        left.withLock { $0[picture.frame.info.sequence] = picture.frame }
                    }
                }
                usleep(33_000)
            }
            detectors?.completeAll(.shutdown)
            detectors = nil
            let pictures = left.withLock { $0 }
            #expect(pictures.count < known.count)
            for (frame, faces) in known {
                if let picture = pictures[frame.info.sequence] {
                    tally.add(picture, faces, "\(film) beside a slow lane")
                }
            }
        }
        // The pattern of a shirt, in the list of docs/explanation/privacy.md.
        let shirt = "face-demographics-walking.gif beside a slow lane, frame 23: [275, 135, 15, 26], 85 % covered"
        tally.check(atLeast: 50, except: [shirt])
    }

    fileprivate static func greyShare(of box: Box, in frame: Frame) -> Double {
        guard let part = box.clipped(width: Float(frame.width), height: Float(frame.height)) else { return 1 }
        let (columns, rows) = (Int(part.x)..<Int(part.maxX), Int(part.y)..<Int(part.maxY))
        guard !columns.isEmpty, !rows.isEmpty else { return 1 }
        let grey = frame.withPlanes { planes in
            rows.reduce(0) { sum, row in
                let line = planes[0].base + row * planes[0].stride
                return sum + columns.count { line[$0] == FrameMask.grey }
            }
        }
        return Double(grey) / Double(columns.count * rows.count)
    }

    /// Beside a needed detector that is too slow, fewer pictures leave, and each of them is of a frame that both saw.
    @Test func onlyFramesThatASlowDetectorSawLeave() throws {
        let seen = Mutex<Set<UInt64>>([])
        let slow = ScriptedDetectorFactory("slow") { frame in
            seen.withLock { _ = $0.insert(frame.info.sequence) }
            usleep(20_000)
            return []
        }
        let fast = ScriptedDetectorFactory("fast") { _ in [] }
        let release = PictureRelease(CoverRules(detectors: ["slow": .all, "fast": .all]))
        let lanes = [slow, fast].map { factory in
            var lane = LaneConfiguration(detector: factory, tracking: TrackerConfiguration.face)
            lane.release = release
            return lane
        }
        let left = Mutex<[UInt64]>([])
        var detectors: MultiDetector? = MultiDetector(lanes, delivery: .newest) { _, _ in nil }
        detectors?.waitUntilLoaded()
        let painter = FramePainter()
        for number in 1...200 {
            let frame = painter.frame(number, seconds: Double(number) / 200)
            detectors?.receive(frame)
            release.release(release.hold(frame)) { result in
                if case .success = result { left.withLock { $0.append(UInt64(number)) } }
            }
            usleep(2000)
        }
        detectors?.completeAll(.shutdown)
        detectors = nil
        let (looked, gone) = (seen.withLock { $0 }, left.withLock { $0 })
        #expect(!gone.isEmpty && gone.count < 200 && gone.allSatisfy(looked.contains))
    }
}
