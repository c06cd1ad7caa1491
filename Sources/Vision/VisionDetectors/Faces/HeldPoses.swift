// SPDX-License-Identifier: Apache-2.0
import Detectors
import Observations

/// When the faces of a stream are looked at closer for their pose, and the poses that hold in between. Time is the
/// frames' own, in seconds.
struct HeldPoses {
    /// A face that does not turn is looked at so often.
    static let restInterval = 0.5
    /// A face whose points move in its box is looked at so often.
    static let turnInterval = 0.1
    /// Looks in a frame at most, so that faces that appear together delay no frame for long.
    static let looksPerFrame = 2
    /// How far a point moves in its box until it says that the head has turned, in widths of the box.
    static let turned: Float = 0.06
    /// A face that is not seen for so long has to be looked at anew.
    private static let longestAbsence = 1.0
    private static let capacity = 64

    private struct Entry {
        /// In the newest frame that showed the face.
        var box: Box
        var seen: Double
        /// At the newest closer look: in widths of the box, from its middle.
        var points: [5 of Point]
        var looked: Double
        var pose: Face.Euler?
    }

    private var entries: [Entry] = []

    /// The faces of a frame to look at, the longest waiting first.
    mutating func due(_ faces: [FaceCandidate], at time: Double) -> [Int] {
        entries.removeAll { abs(time - $0.seen) > Self.longestAbsence }
        var waits: [(index: Int, wait: Double)] = []
        for (index, face) in faces.enumerated() {
            guard let place = place(of: face.box) else {
                waits.append((index, .infinity))
                continue
            }
            (entries[place].box, entries[place].seen) = (face.box, time)
            let wait = abs(time - entries[place].looked)
            let hasTurned = Self.offset(entries[place].points, Self.relative(face)) > Self.turned
            if wait >= (hasTurned ? Self.turnInterval : Self.restInterval) { waits.append((index, wait)) }
        }
        return waits.sorted { $0.wait > $1.wait }.prefix(Self.looksPerFrame).map(\.index)
    }

    /// A look at a face showed this pose, or none.
    mutating func keep(_ pose: Face.Euler?, of face: FaceCandidate, at time: Double) {
        let entry = Entry(box: face.box, seen: time, points: Self.relative(face), looked: time, pose: pose)
        if let place = place(of: face.box) {
            entries[place] = entry
        } else if entries.count < Self.capacity {
            entries.append(entry)
        }
    }

    /// The pose that the newest look at a face showed.
    func pose(of face: FaceCandidate) -> Face.Euler? { place(of: face.box).flatMap { entries[$0].pose } }

    private func place(of box: Box) -> Int? {
        let best = entries.indices.max {
            entries[$0].box.intersectionOverUnion(box) < entries[$1].box.intersectionOverUnion(box)
        }
        guard let best, entries[best].box.intersectionOverUnion(box) > YuNetDecoder.maximumOverlap else { return nil }
        return best
    }

    private static func relative(_ face: FaceCandidate) -> [5 of Point] {
        let (middle, width) = (face.box.center, max(face.box.width, 1))
        return [5 of Point] { index in
            Point(x: (face.points[index].x - middle.x) / width, y: (face.points[index].y - middle.y) / width)
        }
    }

    private static func offset(_ before: [5 of Point], _ after: [5 of Point]) -> Float {
        var most: Float = 0
        for index in before.indices {
            most = max(most, abs(before[index].x - after[index].x), abs(before[index].y - after[index].y))
        }
        return most
    }
}
