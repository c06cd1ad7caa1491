// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Frames
import GlimpseTesting
import Observations
import PictureRelease
import Synchronization
import Testing

@Suite struct PictureReleaseTests {
    private static func frame(_ number: UInt64) -> Frame {
        var random = SeededRandom(seed: number)
        return NoiseFrame(width: 64, height: 48, format: .i420, sequence: number, &random).frame
    }

    private static func release(_ detectors: [String], style: CoverRules.Style = .fill) -> PictureRelease {
        let all = detectors.map { ($0, CoveredFeatures.all) }
        return PictureRelease(
            CoverRules(style: style, margin: 0, detectors: Dictionary(uniqueKeysWithValues: all)))
    }

    /// Records whether a picture has left, and why not.
    private final class Fate: Sendable {
        let result = Mutex<Result<ReleasedPicture, PictureWithheld>?>(nil)

        private let done = DispatchSemaphore(value: 0)

        init(_ frame: Frame, _ release: PictureRelease) {
            release.release(release.hold(frame)) { result in
                self.result.withLock { $0 = result }
                self.done.signal()
            }
        }

        /// Waits for the end, which comes on another thread.
        func wait() { #expect(done.wait(timeout: .now() + 60) == .success) }

        var picture: Frame? { result.withLock { try? $0?.get().frame } }
        var reason: String? {
            result.withLock { result in
                if case .failure(let reason) = result { reason.description } else { nil }
            }
        }
        var isOpen: Bool { result.withLock { $0 == nil } }
    }

    private let box = Box(x: 10, y: 10, width: 20, height: 16)

    @Test func aPictureWaitsUntilEveryDetectorHasLookedAtItsFrame() {
        let release = Self.release(["face", "object"])
        let frame = Self.frame(1)
        let fate = Fate(frame, release)
        #expect(fate.isOpen)
        release.looked("face", at: frame.info, regions: [box])
        #expect(fate.isOpen)
        release.looked("object", at: frame.info, regions: [])
        fate.wait()
        let picture = fate.picture
        #expect(picture != nil && release.reason == nil)
        guard let picture else { return }
        for y in 0..<48 {
            for x in 0..<64 {
                let isCovered = (10..<30).contains(x) && (10..<26).contains(y)
                let samples = MaskTests.samples(picture, x, y)
                // The frame itself is not painted: the detectors look at it.
                if isCovered { #expect(samples == [128, 128, 128] && MaskTests.samples(frame, x, y) != samples) }
                if !isCovered, !(9..<31).contains(x) { #expect(samples == MaskTests.samples(frame, x, y)) }
            }
        }
    }

    @Test func noPictureLeavesWhoseFrameADetectorSkipped() {
        let release = Self.release(["face", "object"])
        let frame = Self.frame(1)
        let fate = Fate(frame, release)
        release.looked("object", at: frame.info, regions: [])
        release.looked("face", at: Self.frame(2).info, regions: [])
        fate.wait()
        #expect(fate.picture == nil && fate.reason == "face: has not looked at the frame")
        #expect(release.withheld == 1 && release.reason == "face: has not looked at the frame")
    }

    @Test func noPictureLeavesWhileADetectorIsNotOperational() {
        let release = Self.release(["face"])
        #expect(release.reason == "face: has not looked at a frame yet")
        for number in UInt64(1)...3 {
            let frame = Self.frame(number)
            release.passed("face", frame: frame.info, obstacle: "no model is installed")
            let fate = Fate(frame, release)
            #expect(fate.reason == "face: no model is installed" && release.reason == "face: no model is installed")
        }
        let frame = Self.frame(4)
        release.looked("face", at: frame.info, regions: [])
        #expect(Fate(frame, release).picture != nil && release.reason == nil)
    }

    /// A detector that hangs holds every picture back; the number of waiting pictures is bounded.
    @Test func noPictureLeavesBesideADetectorThatHangs() {
        let release = Self.release(["face"])
        let fates = (UInt64(1)...200).map { Fate(Self.frame($0), release) }
        for fate in fates.prefix(72) { fate.wait() }
        #expect(fates.allSatisfy { $0.picture == nil } && fates.count(where: \.isOpen) == 128)
        #expect(release.reason != nil)
    }

    @Test func privacyPicturesForbidsEveryPicture() {
        let release = PictureRelease(CoverRules(allowsPictures: false))
        #expect(Fate(Self.frame(1), release).reason == "privacy.pictures is false")
        #expect(release.releaseAtOnce(Self.frame(1)) == nil)
    }

    @Test func framesLeaveAtOnceOnlyWhereNothingIsCovered() {
        #expect(PictureRelease(CoverRules()).releaseAtOnce(Self.frame(1)) != nil)
        let release = Self.release(["face"])
        release.looked("face", at: Self.frame(1).info, regions: [])
        #expect(release.releaseAtOnce(Self.frame(1)) == nil)
    }

    /// A crop is covered in the place of its frame.
    @Test(arguments: PixelFormat.allCases) func cropsAreCoveredInTheirPlace(format: PixelFormat) throws {
        let release = Self.release(["face"])
        var random = SeededRandom(seed: 5)
        let frame = NoiseFrame(width: 64, height: 48, format: format, &random).frame
        release.looked("face", at: frame.info, regions: [box])
        let view = FrameView(frame, box: Box(x: 20, y: 4, width: 30, height: 30))
        let held = try #require(release.hold(view))
        let picture = Mutex<Frame?>(nil)
        release.release(held) { result in picture.withLock { $0 = try? result.get().frame } }
        let left = picture.withLock { $0 }
        let crop = try #require(left)
        for y in 0..<crop.height {
            for x in 0..<crop.width where x + view.x < 30 && (10..<26).contains(y + view.y) {
                #expect(MaskTests.samples(crop, x, y).allSatisfy { $0 == 128 })
            }
        }
    }

    /// Crops of random places in masked frames, in every style, have no sample of a masked pixel.
    @Test(arguments: Fuzz.seeds(12)) func noCropShowsAMaskedPixel(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for format in PixelFormat.allCases {
            let (width, height) = (Int.random(in: 16...120, using: &random), Int.random(in: 16...90, using: &random))
            let (left, right) = (Float.random(in: 0...0.4, using: &random), Float.random(in: 0.6...1, using: &random))
            let corners = [Point(x: left, y: 0), Point(x: right, y: 0), Point(x: right, y: 1), Point(x: left, y: 1)]
            var mask = FrameMask([Mask(name: "m", polygon: corners)])
            let frame = mask.masked(NoiseFrame(width: width, height: height, format: format, &random).frame)
            let rules = CoverRules(
                style: .fill, margin: 0, detectors: Bool.random(using: &random) ? ["face": .all] : [:])
            let release = PictureRelease(rules)
            release.looked("face", at: frame.info, regions: [Box(x: 0, y: 0, width: 5, height: 5)])
            let place = Box(
                x: .random(in: 0...Float(width - 8), using: &random),
                y: .random(in: 0...Float(height - 8), using: &random),
                width: .random(in: 4...Float(width), using: &random),
                height: .random(in: 4...Float(height), using: &random))
            let view = FrameView(frame, box: place)
            let held = try #require(release.hold(view))
            let picture = Mutex<Frame?>(nil)
            release.release(held) { result in picture.withLock { $0 = try? result.get().frame } }
            let released = picture.withLock { $0 }
            let crop = try #require(released)
            let zone = Zone(name: "m", polygon: corners)
            for y in 0..<crop.height {
                for x in 0..<crop.width {
                    let centre = Point(
                        x: (Float(x + view.x) + 0.5) / Float(width), y: (Float(y + view.y) + 0.5) / Float(height))
                    guard zone.contains(centre) else { continue }
                    #expect(MaskTests.samples(crop, x, y).allSatisfy { $0 == FrameMask.grey }, "\(format) \(x) \(y)")
                }
            }
        }
    }

    /// At most eight different values stand in a row of the box.
    @Test(arguments: [3, 8, 9, 20, 47]) func pixelationLeavesAtMostEightBlocks(width: Int) throws {
        let release = Self.release(["face"], style: .pixelate)
        let frame = Self.frame(1)
        let region = Box(x: 7, y: 3, width: Float(width), height: Float(min(width, 40)))
        release.looked("face", at: frame.info, regions: [region])
        let picture = try #require(Fate(frame, release).picture)
        picture.withPlanes { planes in
            for row in 3..<3 + min(width, 40) {
                let line = (7..<7 + width).map { planes[0].base[row * planes[0].stride + $0] }
                let edges = zip(line, line.dropFirst()).count { $0 != $1 }
                #expect(edges <= 7)
            }
        }
    }
}

@Suite struct CoverMemoryTests {
    private func frame(_ seconds: Double) -> FrameInfo {
        let time = Int64(seconds * 1e9)
        return FrameInfo(
            sequence: UInt64(seconds * 1000), presentationTime: time, time: Timestamp(nanoseconds: time), clock: .file,
            width: 640, height: 480)
    }

    private let box = Box(x: 100, y: 100, width: 50, height: 50)

    @Test func aRegionIsHeldAfterItsFeatureWasLastSeen() {
        var memory = CoverMemory(hold: 1)
        #expect(memory.regions(seen: [box], predicted: [], in: frame(1)) == [box])
        #expect(memory.regions(seen: [], predicted: [], in: frame(1.5)) == [box])
        #expect(memory.regions(seen: [], predicted: [], in: frame(2)) == [box])
        #expect(memory.regions(seen: [], predicted: [], in: frame(2.04)) == [])
    }

    @Test func aLaterSightingReplacesTheHeldRegion() {
        var memory = CoverMemory(hold: 1)
        _ = memory.regions(seen: [box], predicted: [], in: frame(1))
        let moved = Box(x: 110, y: 100, width: 50, height: 50)
        #expect(memory.regions(seen: [moved], predicted: [], in: frame(1.1)) == [moved])
    }

    @Test func predictedBoxesAreCoveredBesideTheLastSight() {
        var memory = CoverMemory(hold: 1)
        _ = memory.regions(seen: [box], predicted: [], in: frame(1))
        let predicted = Box(x: 160, y: 100, width: 50, height: 50)
        #expect(memory.regions(seen: [], predicted: [predicted], in: frame(1.1)) == [predicted, box])
        #expect(memory.regions(seen: [], predicted: [predicted], in: frame(3)) == [predicted])
    }

    /// More regions than are remembered cover the whole frame.
    @Test func tooManyRegionsCoverTheFrame() {
        var memory = CoverMemory(hold: 1)
        let many = (0..<300).map { Box(x: Float($0 % 20) * 30, y: Float($0 / 20) * 30, width: 5, height: 5) }
        #expect(
            memory.regions(seen: many, predicted: [], in: frame(1)) == [Box(x: 0, y: 0, width: 640, height: 480)])
    }

    /// The detector takes the newest frame and needs as long for it as 20 frames last.
    @Test func pictureLeavesBesideADetectorThatNeedsLongerThanPicturesMayWait() {
        let release = PictureRelease(CoverRules(detectors: ["face": .all]))
        let painter = FramePainter()
        var waiting = WaitingPictures(limit: 8)
        var looking = painter.frame(1, seconds: 0)
        var left: [UInt64] = []
        for number in 1...101 {
            let frame = painter.frame(number, seconds: Double(number - 1) / 30)
            waiting.add(release.hold(frame))
            guard frame.info.sequence == looking.info.sequence + 20 else { continue }
            release.looked("face", at: looking.info, regions: [])
            looking = frame
            if let picture = waiting.takeDecided() { left.append(picture.info.sequence) }
        }
        #expect(left == [1, 21, 41, 61, 81] && waiting.givenUp > 0)
    }
}
