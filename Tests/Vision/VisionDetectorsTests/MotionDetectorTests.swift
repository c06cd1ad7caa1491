// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import GlimpseTesting
import Installation
import Observations
import Settings
import Testing

@testable import VisionDetectors

/// Moving objects before a camera that stands still, through the real plugin.
@Suite struct MotionDetectorTests {
    /// A film at 10 frames a second of things that are painted over a background, which ends with the detector's last
    /// answer.
    private struct Film {
        let detector: any Detector
        var width = 640
        var height = 360
        var padding = 0
        var background: UInt8 = 120
        private var number = 0

        init(_ settings: ObjectSettings = .motion) throws {
            let models = ModelLibrary(folders: [], cacheFolder: nil)
            detector = try ObjectDetectorFactory(settings, models: models, low: 0.1).makeDetector().detector
        }

        mutating func show(_ things: Box..., value: UInt8 = 220) throws -> [Box] {
            var painter = FramePainter(width: width, height: height, padding: padding, background: background)
            for thing in things { painter.fill(thing, value) }
            number += 1
            return try detector.detect(in: painter.frame(number, seconds: Double(number) / 10)).map(\.box)
        }

        mutating func showNothing(frames: Int = 10) throws {
            for _ in 0..<frames { #expect(try show() == []) }
        }
    }

    private func thing(_ x: Float, _ y: Float = 100, _ width: Float = 60, _ height: Float = 120) -> Box {
        Box(x: x, y: y, width: width, height: height)
    }

    @Test(arguments: [0, 24])
    func aMovingObjectIsFoundAtItsPlace(padding: Int) throws {
        var film = try Film()
        film.padding = padding
        try film.showNothing()
        for step in 0..<20 {
            let place = thing(20 + Float(step) * 12)
            let found = try film.show(place)
            #expect(found.count == 1, "step \(step)")
            #expect((found.first?.intersectionOverUnion(place) ?? 0) > 0.7, "step \(step): \(found)")
        }
        try film.showNothing(frames: 3)
    }

    @Test func movingObjectsHaveNoClassAndNoConfidence() throws {
        var film = try Film()
        try film.showNothing()
        var painter = FramePainter(width: 640, height: 360, background: 120)
        painter.fill(thing(200), 220)
        let found = try film.detector.detect(in: painter.frame(11, seconds: 1.1))
        #expect(found.map(\.content) == [.object(ObjectLabels())])
        #expect(found.map(\.confidence) == [nil])
    }

    @Test func theLargestMovingObjectComesFirst() throws {
        var film = try Film()
        try film.showNothing()
        let found = try film.show(thing(40), thing(400, 60, 140, 200), thing(220, 150, 50, 60))
        #expect(found.count == 3)
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.area > $1.area })
    }

    @Test func anObjectThatStandsStillBecomesBackground() throws {
        var settings = ObjectSettings.motion
        settings.stillAfter = .seconds(3)
        var film = try Film(settings)
        try film.showNothing()
        var seen = 0
        while try !film.show(thing(200)).isEmpty, seen < 100 { seen += 1 }
        #expect((25...35).contains(seen))
        // The object leaves. The background behind it is still known.
        try film.showNothing(frames: 3)
    }

    @Test func onlyMotionInTheRegionOfInterestCounts() throws {
        var settings = ObjectSettings.motion
        settings.common.roi = RegionOfInterest(x: 0.5, y: 0, width: 0.5, height: 1)
        var film = try Film(settings)
        try film.showNothing()
        #expect(try film.show(thing(100)) == [])
        let found = try film.show(thing(100), thing(400))
        #expect(found.count == 1 && (found.first?.intersectionOverUnion(thing(400)) ?? 0) > 0.8)
    }

    @Test func anObjectBelowMinSizeIsNotFound() throws {
        for (size, count) in [(Float(0), 2), (0.15, 1), (0.5, 0)] {
            var settings = ObjectSettings.motion
            settings.minSize = Double(size)
            var film = try Film(settings)
            try film.showNothing()
            #expect(try film.show(thing(40), thing(400, 100, 50, 60)).count == count, "\(size)")
        }
        var film = try Film()
        try film.showNothing()
        #expect(try film.show(thing(100, 100, 20, 20)) == [])
    }

    @Test func aChangeOfLightIsNotAMovingObject() throws {
        var film = try Film()
        try film.showNothing()
        film.background = 200
        try film.showNothing(frames: 12)
        #expect(try film.show(thing(200), value: 80).count == 1)
    }

    @Test func aChangeOfPictureSizeResetsTheMotionDetector() throws {
        var film = try Film()
        try film.showNothing()
        (film.width, film.height) = (1280, 720)
        try film.showNothing()
        #expect(try film.show(thing(200)).count == 1)
    }

    @Test func anyPictureGivesMotionBoxesWithinThePicture() throws {
        for seed in Fuzz.seeds(20) {
            var random = SeededRandom(seed: seed)
            var settings = ObjectSettings.motion
            settings.minSize = Double.random(in: 0...0.1, using: &random)
            let detector = try ObjectDetectorFactory(
                settings, models: ModelLibrary(folders: [], cacheFolder: nil), low: 0.1
            )
            .makeDetector().detector
            var seconds = 0.0
            var (width, height) = (64, 48)
            for number in 1...20 {
                if Int.random(in: 0..<6, using: &random) == 0 {
                    width = Int.random(in: 1...700, using: &random)
                    height = Int.random(in: 1...500, using: &random)
                }
                var painter = FramePainter(
                    width: width, height: height, padding: Int.random(in: 0...9, using: &random),
                    background: UInt8.random(in: 0...255, using: &random) < 250 ? 100 : 20)
                for _ in 0..<Int.random(in: 0...5, using: &random) {
                    painter.fill(
                        Box(
                            x: .random(in: -50...600, using: &random), y: .random(in: -50...400, using: &random),
                            width: .random(in: 1...300, using: &random), height: .random(in: 1...300, using: &random)),
                        .random(in: 0...255, using: &random))
                }
                seconds += Double.random(in: -0.1...1, using: &random)
                for found in try detector.detect(in: painter.frame(number, seconds: seconds)) {
                    #expect(found.box.isValid && found.box.x >= 0 && found.box.y >= 0, "seed \(seed)")
                    #expect(found.box.maxX <= Float(width) && found.box.maxY <= Float(height), "seed \(seed)")
                }
            }
        }
    }

    // MARK: In place of a model

    private func load(_ change: (inout ObjectSettings) -> Void) throws -> (model: String?, remark: String?) {
        var settings = ObjectSettings()
        change(&settings)
        let loaded = try ObjectDetectorFactory(
            settings, models: ModelLibrary(folders: ["/none"], cacheFolder: nil), low: 0.1
        )
        .makeDetector()
        return (loaded.model, loaded.remark)
    }

    @Test func theMotionDetectorReportsThatItHasNoModel() throws {
        let loaded = try load { _ in }
        #expect(loaded.model == "motion")
        #expect(
            loaded.remark
                == "no object model is installed. Moving objects only, for a camera that stands still")
        #expect(try load { $0.classify = true }.remark?.contains("without classes") == true)
        #expect(try load { $0.model = "motion" }.remark == nil)
    }

    @Test func aSettingThatTheMotionDetectorLacksIsRefused() throws {
        #expect(throws: DetectorError.self) { try load { $0.mode = .single } }
        #expect(throws: DetectorError.self) { try load { $0.labels = ["person"] } }
        #expect(throws: DetectorError.self) { try load { $0.model = "no_such_model" } }
    }
}

extension ObjectSettings {
    fileprivate static var motion: ObjectSettings {
        var settings = ObjectSettings()
        settings.model = "motion"
        return settings
    }
}
