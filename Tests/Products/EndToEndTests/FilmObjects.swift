// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Objects that a person counted in a film. Contact sheets of every tenth frame show the objects, and sheets of every
/// frame show their arrivals and departures.
struct FilmObjects {
    struct Object {
        /// The frames, from 1, that show a part of the object.
        var frames: ClosedRange<Int>
        /// The position of the resting object's middle, in pixels from the left. nil if only one object is in view at a
        /// time.
        var x: Double?

        init(_ frames: ClosedRange<Int>, x: Double? = nil) {
            self.frames = frames
            self.x = x
        }
    }

    var film: String
    var label: String
    var objects: [Object]

    /// Bottles stand in three places; a hand takes them out of the picture and puts others there.
    static let bottles = FilmObjects(
        film: "bottle-detection.mp4", label: "bottle",
        objects: [
            Object(1...213, x: 95), Object(1...534, x: 315), Object(1...958, x: 540), Object(338...532, x: 105),
            Object(656...1189, x: 320), Object(814...1189, x: 85), Object(1034...1189, x: 545),
        ])

    /// One person after another comes to a table, writes, and leaves.
    static let persons = FilmObjects(
        film: "one-by-one-person-detection.mp4", label: "person",
        objects: [
            Object(60...198), Object(227...449), Object(503...701), Object(745...871), Object(921...1201),
            Object(1235...1361),
        ])

    /// The results for the objects.
    struct Score: Equatable {
        /// Completed tracks with the label.
        var tracks = 0
        /// Objects that have a track.
        var found = 0
        /// Tracks at an object that has one already.
        var again = 0
        /// Tracks at no object.
        var others = 0
        /// The share of the frames with an object in view in which a track with the label is at the object.
        var seen = 0.0
    }

    /// - Parameter label: of the tracks that count; nil: all.
    func score(_ lines: [TrackLine], label: String?, every: Int) -> Score {
        func counts(_ line: TrackLine) -> Bool { label == nil || line.object?.labels.first?.text == label }
        var sightings: [String: [Int: Int]] = [:]
        var seen: Set<[Int]> = []
        for line in lines where line.type == "update" {
            guard let object = object(at: line) else { continue }
            sightings[line.track.id, default: [:]][object, default: 0] += 1
            if counts(line) { seen.insert([object, line.frame.seq]) }
        }
        var score = Score()
        var tracksOfObject = [Int](repeating: 0, count: objects.count)
        for line in lines where line.type == "completed" && counts(line) {
            score.tracks += 1
            let best = (sightings[line.track.id] ?? [:]).max { ($0.value, $1.key) < ($1.value, $0.key) }
            if let best { tracksOfObject[best.key] += 1 } else { score.others += 1 }
        }
        score.found = tracksOfObject.count { $0 > 0 }
        score.again = tracksOfObject.reduce(0) { $0 + max(0, $1 - 1) }
        let frames = objects.reduce(0) { sum, object in
            sum + object.frames.count { ($0 - 1).isMultiple(of: every) }
        }
        score.seen = Double(seen.count) / Double(frames)
        return score
    }

    /// The object that is in view in the line's frame and whose place is within 100 pixels of the box's middle.
    private func object(at line: TrackLine) -> Int? {
        guard let box = line.box else { return nil }
        return objects.firstIndex { object in
            object.frames.contains(line.frame.seq)
                && object.x.map { abs($0 - box.x - box.w / 2) <= 100 } ?? true
        }
    }

    /// The fields of a track line that this test reads.
    struct TrackLine: Decodable {
        struct Track: Decodable {
            var id: String
        }

        struct Frame: Decodable {
            var seq: Int
        }

        struct Object: Decodable {
            struct Label: Decodable {
                var text: String
            }

            var labels: [Label]
        }

        var type: String
        var track: Track
        var frame: Frame
        var box: Detected.Box?
        var object: Object?
    }
}
