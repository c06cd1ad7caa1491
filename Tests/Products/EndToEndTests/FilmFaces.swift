// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// Faces that a person marked in a film, each as points of its path. All faces are in view in every frame.
struct FilmFaces {
    /// The position of a face's middle in a frame, in pixels of the film.
    struct Sight {
        var frame: Int
        var x: Double
        var y: Double

        init(_ frame: Int, _ x: Double, _ y: Double) {
            (self.frame, self.x, self.y) = (frame, x, y)
        }
    }

    var film: String
    /// One path for each face, by ascending frame; between two points the face moves evenly.
    var paths: [[Sight]]
    /// `face.min_size`; nil is the default.
    var minimumSize: Double?

    /// Counted and marked on enlarged frames with a grid: points of each path are frame, x and y.
    static let all: [FilmFaces] = {
        struct Film: Decodable {
            var film: String
            var paths: [[[Double]]]
            var min_size: Double?
        }
        let file = URL(filePath: "\(Checkout.root)/Tests/Support/film-faces.json")
        do {
            return try JSONDecoder().decode([Film].self, from: Data(contentsOf: file)).map { film in
                FilmFaces(
                    film: film.film, paths: film.paths.map { path in path.map { Sight(Int($0[0]), $0[1], $0[2]) } },
                    minimumSize: film.min_size)
            }
        } catch {
            fatalError("\(file.path): \(error)")
        }
    }()

    /// The position of a face in a frame.
    private static func middle(_ path: [Sight], _ frame: Int) -> (x: Double, y: Double) {
        let after = path.firstIndex { $0.frame >= frame } ?? path.count - 1
        let (a, b) = (path[max(0, after - 1)], path[after])
        let part = b.frame == a.frame ? 0 : min(1, Double(frame - a.frame) / Double(b.frame - a.frame))
        return (a.x + part * (b.x - a.x), a.y + part * (b.y - a.y))
    }

    /// The results for the faces.
    struct Score {
        var frames = 0
        var sightings = 0
        var ids: Set<String> = []
        /// The number of sightings of a face with another id than the sighting before.
        var switches = 0
        /// The number of gaps between two sightings of a face.
        var fragmentations = 0
        /// The number of ids that were never at a face.
        var others: Set<String> = []
    }

    /// Finds whose box is at each face in each frame that the detector saw: every n-th from the first.
    func score(_ lines: [TrackLine], every: Int, frames count: Int) -> Score {
        var score = Score()
        var atFaces: Set<String> = []
        var boxes: [Int: [TrackLine]] = [:]
        for line in lines where line.type == "update" { boxes[line.frame.seq, default: []].append(line) }
        var last = [(id: String, step: Int)?](repeating: nil, count: paths.count)
        for (step, frame) in stride(from: 1, through: count, by: every).enumerated() {
            score.frames += 1
            for (index, path) in paths.enumerated() {
                let middle = Self.middle(path, frame)
                guard let id = boxes[frame]?.first(where: { $0.contains(middle.x, middle.y) })?.track.id else {
                    continue
                }
                score.sightings += 1
                if let last = last[index] {
                    if last.id != id { score.switches += 1 }
                    if last.step < step - 1 { score.fragmentations += 1 }
                }
                last[index] = (id, step)
                atFaces.insert(id)
            }
        }
        score.ids = Set(lines.map(\.track.id))
        score.others = score.ids.subtracting(atFaces)
        return score
    }

    /// The fields of a track line that this test reads.
    struct TrackLine: Decodable {
        struct Track: Decodable {
            var id: String
        }

        struct Frame: Decodable {
            var seq: Int
        }

        var type: String
        var track: Track
        var frame: Frame
        var box: Detected.Box?

        func contains(_ x: Double, _ y: Double) -> Bool {
            guard let box else { return false }
            return x >= box.x && x < box.x + box.w && y >= box.y && y < box.y + box.h
        }
    }
}
