// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Observations
import Testing

@testable import Tracking

@Suite struct FaceMemoryTests {
    private static let eyes: [Face.Landmark.Name] = [.rightEye, .leftEye]

    /// A face 100 pixels large with eyes at a fifth and four fifths of its width.
    private func face(x: Float, size: Float = 100, without: Set<Face.Landmark.Name> = [], turn: Float? = nil)
        -> Detection
    {
        var detection = Detection.face(x: x, y: 100)
        detection.box = Box(x: x, y: 100, width: size, height: size)
        detection.confidence = 0.95
        let places: [(Face.Landmark.Name, Float)] = [(.rightEye, 0.2), (.leftEye, 0.8)]
        detection.content = .face(
            Face(
                landmarks: places.filter { !without.contains($0.0) }.map { name, place in
                    Face.Landmark(name: name, position: Point(x: x + place * size, y: 100 + 0.3 * size))
                }, euler: turn.map { Face.Euler(z: $0) }))
        return detection
    }

    private func seen(_ track: Track) throws -> Face {
        guard case .face(let face) = track.detection.content else {
            Issue.record("no face")
            return Face()
        }
        return face
    }

    /// The faces of one track's updates.
    private func follow(_ frames: [Detection], _ rules: FaceRules = FaceRules(), rate: Double = 10) throws -> [Face] {
        var configuration = TrackerConfiguration.face
        configuration.faces = rules
        var tracker = Tracker(configuration)
        return try frames.enumerated().flatMap { number, detection in
            try tracker.process([detection], frame: .at(Double(number) / rate, number: number))
                .filter { $0.phase == .update }.map { try seen($0.track) }
        }
    }

    private func rules(smoothed: Bool = false, hold: Double) -> FaceRules {
        var rules = FaceRules()
        (rules.isSmoothed, rules.hold) = (smoothed, hold)
        return rules
    }

    // MARK: Hold

    /// The eye cascade finds an eye in some frames only. The box moves and grows meanwhile.
    @Test func aMissingEyeKeepsItsPlaceInTheFaceBox() throws {
        let faces = try follow(
            [face(x: 100), face(x: 120, size: 120, without: [.leftEye]), face(x: 140, size: 140)], rules(hold: 1))
        #expect(faces.count == 3)
        let filled = faces[1].landmarks
        #expect(filled.map(\.name) == Self.eyes)
        #expect(filled.map(\.interpolated) == [false, true])
        #expect(abs(filled[1].position.x - (120 + 0.8 * 120)) < 1e-3)
        #expect(abs(filled[1].position.y - (100 + 0.3 * 120)) < 1e-3)
        #expect(faces[2].landmarks.allSatisfy { !$0.interpolated })
    }

    @Test func aMissingLandmarkIsHeldForALimitedTime() throws {
        let gone = (1...6).map { face(x: 100 + Float($0), without: [.leftEye]) }
        let counts = try follow([face(x: 100)] + gone, rules(hold: 0.3)).map(\.landmarks.count)
        #expect(counts == [2, 2, 2, 2, 1, 1, 1])
        #expect(try follow([face(x: 100)] + gone, rules(hold: 0)).map(\.landmarks.count) == [2, 1, 1, 1, 1, 1, 1])
    }

    @Test func aLandmarkThatWasNeverDetectedIsNotAdded() throws {
        let faces = try follow([face(x: 100, without: [.leftEye]), face(x: 101, without: [.leftEye])], rules(hold: 1))
        #expect(faces.map { $0.landmarks.map(\.name) } == [[.rightEye], [.rightEye]])
    }

    // MARK: Smoothing

    /// Faces that stand, move evenly and swing, with the noise of YuNet's landmarks (a standard deviation of 1 % of the
    /// box). Smoothing removes a third of the noise without a delay that matters.
    @Test func smoothedLandmarksAreSteadierAndNotLate() throws {
        var random = SeededRandom(seed: 8)
        let count = 400
        func path(_ frame: Int) -> Float {
            let t = Float(frame) / 30
            return 200 + (t < 4 ? 0 : t < 7 ? 60 * (t - 4) : 180 + 40 * sin(3 * (t - 7)))
        }
        func noise() -> Float { (0..<12).reduce(-6) { sum, _ in sum + Float.random(in: 0...1, using: &random) } }
        let frames = (0..<count).map { frame in
            var detection = face(x: path(frame))
            guard case .face(var content) = detection.content else { return detection }
            for index in content.landmarks.indices {
                content.landmarks[index].position.x += noise()
                content.landmarks[index].position.y += noise()
            }
            detection.content = .face(content)
            return detection
        }
        func errors(_ faces: [Face], from first: Int, to last: Int, delay: Float = 0) -> Float {
            let offsets = (first..<last).map { frame in
                let now = path(frame)
                let then = delay == 0 ? now : now + delay * (path(frame - 1) - now)
                return faces[frame].landmarks[0].position.x - (then + 20)
            }
            return (offsets.reduce(0) { $0 + $1 * $1 } / Float(offsets.count)).squareRoot()
        }
        let raw = try follow(frames, rules(smoothed: false, hold: 0), rate: 30)
        let smooth = try follow(frames, rules(smoothed: true, hold: 0), rate: 30)
        #expect(raw.count == count && smooth.count == count)
        #expect(errors(smooth, from: 10, to: 120) < 0.75 * errors(raw, from: 10, to: 120))
        #expect(errors(smooth, from: 135, to: 210) < 0.75 * errors(raw, from: 135, to: 210))
        // On a swing of 1.2 sizes a second the delay is less than half a frame. The points fit the current path better
        // than the path of the frame before. The cost is about as large as the noise was.
        #expect(errors(smooth, from: 220, to: count) < 1.3 * errors(raw, from: 220, to: count))
        #expect(errors(smooth, from: 220, to: count) < errors(smooth, from: 220, to: count, delay: 1))
    }

    @Test func withoutSmoothingFacesAreTheDetectors() throws {
        let frames = [face(x: 100, turn: 10), face(x: 130, turn: 30), face(x: 110, turn: -10)]
        let faces = try follow(frames, rules(smoothed: false, hold: 0))
        #expect(faces.map { Detection.Content.face($0) } == frames.map(\.content))
        #expect(try follow(frames).map { Detection.Content.face($0) } != frames.map(\.content))
    }

    /// 179, -179, -177: four degrees, not 358.
    @Test func smoothedAnglesOfFacesTakeTheShortWay() throws {
        let faces = try follow([179, -179, -177, -175].map { face(x: 100, turn: $0) })
        let last = try #require(faces.last?.euler?.z)
        #expect(abs((last + 175).remainder(dividingBy: 360)) < 3)
        #expect(faces.allSatisfy { abs($0.euler?.z ?? 999) <= 180 })
    }

    @Test func aLandmarkThatIsNotFiniteDoesNotSpoilTheFace() throws {
        var broken = face(x: 101, turn: .nan)
        guard case .face(var content) = broken.content else { return }
        content.landmarks[0].position.x = .infinity
        broken.content = .face(content)
        let faces = try follow([face(x: 100, turn: 1), broken, face(x: 102, turn: 1)])
        let last = try #require(faces.last)
        #expect(last.landmarks.allSatisfy { $0.position.isFinite })
        #expect(last.euler?.z?.isFinite == true)
    }

    // MARK: Without tracking

    @Test func untrackedSightingsAreTracksOfOneFrame() {
        let lives = FrameTable().lives(["xx.x"], .face.untracked)
        #expect(lives == ["DC", ".DC", "...D"])
        // A low score that could only continue a track is not reported. Several detections in a frame are several
        // tracks.
        #expect(FrameTable().lives(["xw", "xx"], .face.untracked) == ["DC", "DC", ".D"])
    }

    @Test func untrackedDetectionsHaveNoPredictionAndNoDuplicates() {
        for (configuration, hints, tracks) in [(TrackerConfiguration.face, 1, 1), (.face.untracked, 0, 2)] {
            var tracker = Tracker(configuration)
            let face = Detection.face(x: 100, y: 100)
            let changes = tracker.process([face, .face(x: 102, y: 100)], frame: .at(0))
            #expect(changes.count { $0.phase == .update } == tracks)
            #expect(tracker.predicted(at: .at(0.1, number: 1)).count == hints)
        }
    }
}
