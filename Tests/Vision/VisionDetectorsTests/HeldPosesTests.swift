// SPDX-License-Identifier: Apache-2.0
import Observations
import Testing

@testable import Detectors
@testable import VisionDetectors

@Suite struct HeldPosesTests {
    /// - Parameter nose: how far the nose lies from the middle of the box, in its widths.
    private func face(x: Float = 100, nose: Float = 0) -> FaceCandidate {
        let box = Box(x: x, y: 100, width: 120, height: 140)
        return FaceCandidate(
            box: box, score: 0.9,
            points: [5 of Point] { index in
                Point(x: box.center.x + (index == 2 ? nose * 120 : 0), y: box.center.y + Float(10 * index))
            })
    }

    /// The frames of a second of 30 frames in which the face is looked at.
    private func looks(_ face: (Int) -> FaceCandidate) -> [Int] {
        var held = HeldPoses()
        return (0..<30).filter { frame in
            let (time, face) = (Double(frame) / 30, face(frame))
            let isDue = !held.due([face], at: time).isEmpty
            if isDue { held.keep(.init(z: Float(frame)), of: face, at: time) }
            return isDue
        }
    }

    @Test func thePoseOfAStillFaceIsMeasuredTwiceASecond() {
        #expect(looks { _ in face() } == [0, 15])
        // Movement is not rotation.
        #expect(looks { face(x: 100 + Float(5 * $0)) } == [0, 15])
    }

    @Test func thePoseOfATurningFaceIsMeasuredAtMostTenTimesASecond() {
        let turning = looks { face(nose: Float($0) * 0.02) }
        #expect(turning.count >= 8 && zip(turning, turning.dropFirst()).allSatisfy { $1 - $0 >= 3 }, "\(turning)")
    }

    @Test func theNewestPoseOfAFaceIsHeld() {
        var held = HeldPoses()
        let first = held.due([face()], at: 0)
        #expect(first == [0])
        held.keep(.init(z: 7), of: face(), at: 0)
        let soon = held.due([face(x: 110)], at: 0.4)
        #expect(soon.isEmpty)
        #expect(held.pose(of: face(x: 110))?.z == 7)
        // A face in another place is another face.
        #expect(held.pose(of: face(x: 400)) == nil)
        // A face that was away for longer than a second is looked at anew.
        _ = held.due([], at: 1.5)
        #expect(held.pose(of: face(x: 110)) == nil)
    }

    @Test func posesOfManyFacesAreMeasuredInTurns() {
        var held = HeldPoses()
        let faces = (0..<6).map { face(x: Float(200 * $0)) }
        var seen: Set<Int> = []
        for frame in 0..<3 {
            let time = Double(frame) / 30
            let due = held.due(faces, at: time)
            #expect(due.count == HeldPoses.looksPerFrame)
            for index in due { held.keep(.init(z: Float(index)), of: faces[index], at: time) }
            seen.formUnion(due)
        }
        #expect(seen == Set(0..<6))
        for (index, face) in faces.enumerated() { #expect(held.pose(of: face)?.z == Float(index)) }
    }
}
