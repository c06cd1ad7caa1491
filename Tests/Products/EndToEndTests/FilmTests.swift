// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// Real films through the built executables: identities, and the grammar of every track.
@Suite(.enabled(if: SharedData.has("media/video/asl_help.mkv"), "no shared data beside the checkout"), .serialized)
struct FilmTests {
    private func run(
        _ film: String, _ tables: String, every: Int = 1, minimumSize: Double? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [String] {
        let scope = TestScope()
        scope.write("p.toml", "[source]\nkind = \"test\"\n\(tables)\n")
        var arguments = [
            "pipeline", scope.path("p.toml"), "--source", SharedData.path("media/video/\(film)"), "--set",
            "source.every=\(every)",
        ]
        if let minimumSize { arguments += ["--set", "face.min_size=\(minimumSize)"] }
        let result = Program.run(Program.built("glimpsed"), arguments, within: .seconds(1200))
        try #require(result.status == 0, "\(result)", sourceLocation: sourceLocation)
        return result.lines
    }

    private func tracks(_ lines: [String]) throws -> [FilmFaces.TrackLine] {
        try lines.filter { $0.contains("\"track\":") }.map {
            try JSONDecoder().decode(FilmFaces.TrackLine.self, from: Data($0.utf8))
        }
    }

    /// The output equals the table in the documentation (`UPDATE_GOLDEN=1` rewrites it). One person is one track from
    /// the first frame to the last.
    @Test func facesOfFilmsEqualTheManualCount() throws {
        var rows = [
            "| film | every | faces by eye | ids | seen | switches | fragmentations | ids at no face |",
            "|---|---|---|---|---|---|---|---|",
        ]
        for faces in FilmFaces.all {
            for every in [1, 2, 5] {
                let lines = try run(faces.film, "[face]", every: every, minimumSize: faces.minimumSize)
                let tracks = try tracks(lines)
                let last = try #require(tracks.map(\.frame.seq).max())
                if faces.paths.count == 1 {
                    let updates = stride(from: 1, through: last, by: every).map { _ in "update" }
                    #expect(tracks.map(\.type) == ["detected"] + updates + ["completed"], "\(faces.film) \(every)")
                    #expect(Set(tracks.map(\.track.id)) == ["1"], "\(faces.film) \(every)")
                }
                let score = faces.score(tracks, every: every, frames: last)
                rows.append(
                    "| \(faces.film) | \(every) | \(faces.paths.count) | \(score.ids.count)"
                        + " | \(score.sightings) of \(score.frames * faces.paths.count) | \(score.switches)"
                        + " | \(score.fragmentations) | \(score.others.count) |")
            }
        }
        try GoldenBlock(file: "docs/performance/faces.md", name: "film faces").expect(rows)
    }

    private static let settings = [
        "[face]\n[barcode]",
        "[face]\nmin_size = 0.02\nconfidence = 0.3\n[face.tracking]\nmax_gap_frames = 0\nhits = 1\n"
            + "[barcode]\neffort = \"fast\"\nmax_rate = 7\n[barcode.tracking]\nfocus = \"largest\"",
    ]

    private static let films = [
        "asl_again.mkv", "asl_book.mkv", "asl_help.mkv", "bottle-detection.mp4", "classroom.gif",
        "face-demographics-walking.gif", "head-pose-face-detection-female.gif", "one-by-one-person-detection.mp4",
        "person-bicycle-car-detection.gif", "store-aisle-detection.gif",
    ]

    /// On every clip, lines follow the schema, tracks follow the grammar, and every track completes.
    @Test(arguments: settings.indices)
    func everyTrackOfEveryFilmHasACompleteLife(settings: Int) throws {
        let there = try FileManager.default.contentsOfDirectory(atPath: SharedData.path("media/video")).sorted()
        #expect(there == Self.films)
        var all: [[UInt8]] = []
        var completed = 0
        for film in there {
            let isLong = film.hasSuffix(".mp4")
            let every = Fuzz.scale > 1 ? 1 : isLong ? 24 : 3
            let lines = try run(film, Self.settings[settings], every: every).map { Array($0.utf8) }
            #expect(violation(in: lines) == nil, "\(film)")
            completed += lines.count { $0.firstRange(of: Array(#""type":"completed""#.utf8)) != nil }
            all += lines
        }
        #expect(try EventSchema.violations(in: all) == [])
        #expect(completed >= 4)
    }
}
