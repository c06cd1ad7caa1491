// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations
import Testing

@testable import Settings

@Suite struct ZoneTests {
    @Test func everyKeyOfAZoneIsRead() throws {
        let text = """
            source.kind = "test"
            [[zone]]
            name = "desk"
            polygon = [[0, 0.5], [1, 0.5], [0.5, 1]]
            [[zone]]
            name = "door"
            polygon = [[0.1, 0.1], [0.2, 0.1], [0.2, 0.9], [0.1, 0.9]]
            kinds = ["object", "face"]
            anchor = "bottom"
            hysteresis = 0
            dwell = "5s"
            """
        let zones = try PipelineSettings.parse(text).zones
        #expect(zones.count == 2)
        #expect(
            zones[0]
                == Zone(name: "desk", polygon: [Point(x: 0, y: 0.5), Point(x: 1, y: 0.5), Point(x: 0.5, y: 1)]))
        #expect(zones[1].kinds == [.object, .face] && zones[1].anchor == .bottom)
        #expect(zones[1].hysteresis == 0 && zones[1].dwell == 5_000_000_000 && zones[1].polygon.count == 4)
    }

    @Test func thirtyTwoZonesAreAllowed() throws {
        func file(_ count: Int) -> String {
            "source.kind = \"test\"\n"
                + (0..<count).map { "[[zone]]\nname = \"z\($0)\"\npolygon = [[0, 0], [1, 0], [1, 1]]\n" }.joined()
        }
        #expect(try PipelineSettings.parse(file(32)).zones.count == 32)
        #expect(pipelineProblems(file(33)) == ["p.toml:2: zones must be at most 32, not 33"])
    }

    /// Corners of a convex polygon are valid in either direction, from any first corner. With two neighbours exchanged,
    /// or one corner given twice, the polygon is invalid.
    @Test func zonePolygonsThatCrossThemselvesAreRefused() {
        var random = SeededRandom(seed: 5)
        for _ in 0..<300 {
            // Points of a parabola are exactly the corners of a convex polygon.
            let numbers = Set(
                (0..<Int.random(in: 4...9, using: &random)).map { _ in Int.random(in: 0..<64, using: &random) })
            var corners = numbers.sorted().map { Point(x: Float($0) / 64, y: Float($0 * $0) / 4096) }
            guard corners.count >= 4 else { continue }
            let turn = Int.random(in: 0..<corners.count, using: &random)
            corners = Array(corners[turn...] + corners[..<turn])
            if Bool.random(using: &random) { corners.reverse() }
            #expect(Polygon.crossing(corners) == nil)
            corners.swapAt(0, 1)
            #expect(Polygon.crossing(corners) != nil)
            corners.swapAt(0, 1)
            corners.append(corners[1])
            #expect(Polygon.crossing(corners) != nil)
        }
    }
}
