// SPDX-License-Identifier: Apache-2.0
@testable import Detectors
import Foundation
import GlimpseTesting
import Observations
import Testing

@Suite struct HeadPoseTests {
    /// A head made of the model's points, seen by a pinhole camera.
    private struct Head {
        var x: Double
        var y: Double
        var z: Double
        /// Distance from the camera in centimetres. nil is a distance without perspective.
        var distance: Double?
        var points = HeadPose.model

        /// Pixels; the eyes are about 100 apart.
        func seen() -> [5 of Point] {
            let (p, t, r) = (-x * .pi / 180, y * .pi / 180, z * .pi / 180)
            return [5 of Point] { index in
                let point = points[index]
                // Nod, then turn, then roll.
                let nodded = SIMD3(point.x, cos(p) * point.y - sin(p) * point.z, sin(p) * point.y + cos(p) * point.z)
                let turned = SIMD3(
                    cos(t) * nodded.x + sin(t) * nodded.z, nodded.y, cos(t) * nodded.z - sin(t) * nodded.x)
                let rolled = SIMD2(cos(r) * turned.x - sin(r) * turned.y, sin(r) * turned.x + cos(r) * turned.y)
                let scale = distance.map { $0 / ($0 - turned.z) } ?? 1
                return Point(x: Float(400 + 16 * scale * rolled.x), y: Float(300 - 16 * scale * rolled.y))
            }
        }

        static func random(distance: Double?, using random: inout SeededRandom) -> Head {
            Head(
                x: .random(in: -25...25, using: &random), y: .random(in: -45...45, using: &random),
                z: .random(in: -40...40, using: &random), distance: distance)
        }
    }

    private func errors(of head: Head, seen points: [5 of Point]) throws -> (x: Double, y: Double, z: Double) {
        let euler = try #require(HeadPose(points)).euler
        return (
            abs(Double(try #require(euler.x)) - head.x), abs(Double(try #require(euler.y)) - head.y),
            abs(Double(try #require(euler.z)) - head.z)
        )
    }

    private func gaussian(_ deviation: Double, using random: inout SeededRandom) -> Double {
        // The sum of twelve uniform numbers.
        deviation * ((0..<12).reduce(-6.0) { sum, _ in sum + .random(in: 0...1, using: &random) })
    }

    @Test func posesOfDistantHeadsAreExact() throws {
        var random = SeededRandom(seed: 1)
        for _ in 0..<300 {
            let head = Head.random(distance: nil, using: &random)
            let error = try errors(of: head, seen: head.seen())
            #expect(max(error.x, error.y, error.z) < 0.01)
        }
    }

    /// The documented limits of `HeadPose`: 95 % of heads are within them.
    @Test(arguments: [
        (60.0 as Double?, 0.0, 0.0, (5.0, 5.0, 3.0)), (nil, 0.04, 0, (7.0, 6.0, 4.0)),
        (nil, 0.04, 0.25, (12.0, 8.0, 5.0)),
    ])
    func errorsOfTheHeadPoseAreAsStated(
        distance: Double?, landmarkNoise: Double, peopleDiffer: Double, bound: (x: Double, y: Double, z: Double)
    ) throws {
        var random = SeededRandom(seed: 2)
        var all: [(x: Double, y: Double, z: Double)] = []
        for _ in 0..<1000 {
            var head = Head.random(distance: distance, using: &random)
            // A face of another person is symmetric too.
            for (right, left) in [(0, 1), (3, 4)] {
                for axis in 0..<3 { head.points[right][axis] += gaussian(peopleDiffer, using: &random) }
                head.points[left] = head.points[right] * SIMD3(-1, 1, 1)
            }
            for axis in 1..<3 { head.points[2][axis] += gaussian(peopleDiffer, using: &random) }
            let seen = head.seen()
            let points = [5 of Point] { index in
                let point = seen[index]
                // Half of the variance in each direction.
                let deviation = landmarkNoise * 100 / 2.0.squareRoot()
                return Point(
                    x: point.x + Float(gaussian(deviation, using: &random)),
                    y: point.y + Float(gaussian(deviation, using: &random)))
            }
            all.append(try errors(of: head, seen: points))
        }
        func share(within bound: Double, _ value: ((x: Double, y: Double, z: Double)) -> Double) -> Double {
            Double(all.count { value($0) <= bound }) / Double(all.count)
        }
        #expect(share(within: bound.x) { $0.x } >= 0.95)
        #expect(share(within: bound.y) { $0.y } >= 0.95)
        #expect(share(within: bound.z) { $0.z } >= 0.95)
    }

    @Test func signsOfTheHeadPoseAreThoseOfMobileVision() throws {
        func pose(_ x: Double, _ y: Double, _ z: Double) throws -> [5 of Point] { Head(x: x, y: y, z: z).seen() }
        let ahead = try pose(0, 0, 0)
        // The nose goes to where the face turns: right, and up.
        #expect(try pose(0, 20, 0)[2].x > ahead[2].x)
        #expect(try pose(20, 0, 0)[2].y < ahead[2].y)
        // Counter-clockwise: the person's left eye, on the right of the picture, rises.
        #expect(try pose(0, 0, 20)[1].y < ahead[1].y)
    }

    @Test func aTurnedPictureChangesOnlyTheRollOfTheHead() throws {
        let points = Head(x: 10, y: -25, z: 5).seen()
        for quarter in 1...3 {
            var turned = points
            for _ in 0..<quarter {
                let last = turned
                turned = [5 of Point] { Point(x: last[$0].y, y: -last[$0].x) }
            }
            let euler = try #require(HeadPose(turned)).euler
            let (nod, turn) = (try #require(euler.x), try #require(euler.y))
            #expect(abs(nod - 10) < 0.01 && abs(turn + 25) < 0.01)
            let roll = try #require(euler.z)
            let wanted = Float(5 + 90 * quarter)
            #expect(abs((roll - wanted).remainder(dividingBy: 360)) < 0.01)
        }
    }

    @Test func landmarksThatSpanNothingHaveNoPose() {
        let point = Point(x: 3, y: 4)
        #expect(HeadPose([5 of Point](repeating: point)) == nil)
        #expect(HeadPose([5 of Point] { Point(x: Float($0), y: 7) }) == nil)
        #expect(HeadPose([5 of Point] { Point(x: Float($0), y: .nan) }) == nil)
        #expect(HeadPose.roll(rightEye: point, leftEye: point) == nil)
        #expect(HeadPose.roll(rightEye: Point(x: 0, y: 10), leftEye: Point(x: 10, y: 0)) == 45)
    }

    @Test func anyLandmarksGiveAFinitePoseOrNone() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<5000 {
            let points = [5 of Point] { _ in
                Point(
                    x: Float(bitPattern: .random(in: 0...UInt32.max, using: &random)),
                    y: Float.random(in: -9...9, using: &random))
            }
            let face = FacePoints.face(points, width: 640, height: 480)
            for angle in [face.euler?.x, face.euler?.y, face.euler?.z] {
                if let angle { #expect(angle.isFinite && abs(angle) <= 180) }
            }
        }
    }
}

@Suite struct FacePointsTests {
    private let middle: [5 of Point] = [
        Point(x: 280, y: 240), Point(x: 360, y: 240), Point(x: 320, y: 290), Point(x: 290, y: 330),
        Point(x: 350, y: 330),
    ]

    @Test func aFrontalFaceHasFiveLandmarks() throws {
        let face = FacePoints.face(middle, width: 640, height: 480)
        #expect(face.landmarks.map(\.name) == YuNetDecoder.landmarkNames)
        for index in middle.indices { #expect(face.landmarks[index].position == middle[index]) }
        #expect(abs(try #require(face.euler?.y)) < 1)
    }

    @Test func landmarksBeyondTheBorderAreMissing() {
        let cut = [5 of Point] { Point(x: middle[$0].x - 285, y: middle[$0].y) }
        let face = FacePoints.face(cut, width: 640, height: 480)
        #expect(face.landmarks.map(\.name) == [.leftEye, .noseBase, .mouthRight, .mouthLeft])
        #expect(face.euler != nil)
        #expect(
            FacePoints.face(middle, width: 640, height: 300).landmarks.map(\.name) == [.rightEye, .leftEye, .noseBase])
    }

    /// The mean landmarks that YuNet gives for the profile of `camera_profile.png`, and their mirror image.
    @Test func aLandmarkOnTheFarSideIsMissing() throws {
        let profile: [5 of Point] = [
            Point(x: 295, y: 228), Point(x: 341, y: 232), Point(x: 360, y: 307), Point(x: 278, y: 346),
            Point(x: 312, y: 351),
        ]
        let right = FacePoints.face(profile, width: 640, height: 480)
        #expect(try #require(right.euler?.y) > FacePoints.turnedAway)
        #expect(right.landmarks.map(\.name) == [.rightEye, .noseBase, .mouthRight])
        let others = [1, 0, 2, 4, 3]
        let mirrored = [5 of Point] { Point(x: 640 - profile[others[$0]].x, y: profile[others[$0]].y) }
        let left = FacePoints.face(mirrored, width: 640, height: 480)
        #expect(try #require(left.euler?.y) < -FacePoints.turnedAway)
        #expect(left.landmarks.map(\.name) == [.leftEye, .noseBase, .mouthLeft])
    }

    @Test func impossibleFacePointsAreNotLandmarks() {
        var scrambled = middle
        scrambled.swapAt(0, 4)
        scrambled.swapAt(1, 2)
        #expect(FacePoints.face(scrambled, width: 640, height: 480) == Face())
    }
}
