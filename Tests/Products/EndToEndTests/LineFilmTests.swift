// SPDX-License-Identifier: Apache-2.0
import Foundation
import GlimpseTesting
import Testing

/// Crossings of a film, through the built executables.
@Suite(
    .enabled(if: SharedData.has("media/video/one-by-one-person-detection.mp4"), "no shared data beside the checkout"))
struct LineFilmTests {
    private struct Line: Decodable {
        var direction: String
        var `in`: Int
        var out: Int
    }

    /// Six people walk one after the other out of the picture on its right, and nobody comes back.
    @Test func sixPeopleCrossALineOnce() throws {
        let scope = TestScope()
        scope.write(
            "hall.toml",
            """
            [source]
            kind = "file"
            path = "\(SharedData.path("media/video/one-by-one-person-detection.mp4"))"
            [object]
            classify = true
            max_rate = 5
            [[line]]
            name = "exit"
            from = [0.75, 0]
            to = [0.75, 1]
            labels = ["person"]
            """)
        let result = Program.run(
            Program.built("glimpsed"), ["pipeline", scope.path("hall.toml")], within: .seconds(600))
        let crossings = try result.lines.filter { $0.contains("\"type\":\"line\"") }
            .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        #expect(crossings.map(\.direction) == Array(repeating: "out", count: 6), "\(result.errors)")
        #expect(crossings.map(\.out) == Array(1...6) && crossings.allSatisfy { $0.in == 0 })
    }
}
