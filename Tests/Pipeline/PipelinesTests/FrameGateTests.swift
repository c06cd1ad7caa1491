// SPDX-License-Identifier: Apache-2.0
import Frames
import GlimpseTesting
import Observations
import Testing

@testable import Pipelines

/// The frames that show a detector something new.
@Suite struct FrameGateTests {
    private static let size = (width: 320, height: 180)

    /// A picture with a little texture.
    private func picture() -> FramePainter {
        var painter = FramePainter(width: Self.size.width, height: Self.size.height)
        painter.paint { x, y in UInt8(80 + (x / 10 * 7 + y / 6 * 11) % 60) }
        return painter
    }

    /// The picture with the noise of a sensor: a normal distribution with this standard deviation in levels.
    private func noisy(
        _ number: Int, deviation: Double, brightness: Double = 0, fill: (Box, UInt8)? = nil, seed: UInt64 = 1
    ) -> Frame {
        var painter = FramePainter(width: Self.size.width, height: Self.size.height)
        var random = SeededRandom(seed: seed &* 1000 &+ UInt64(number))
        // A sum of uniform numbers approximates a normal distribution, and is fast.
        let noise = (0..<4096).map { _ in
            (0..<4).reduce(0.0) { sum, _ in sum + Double.random(in: -1...1, using: &random) } * deviation
                * (3.0 / 4).squareRoot()
        }
        let start = Int.random(in: 0..<4096, using: &random)
        painter.paint { x, y in
            let box = fill?.0
            let inside = box.map { x >= Int($0.x) && x < Int($0.maxX) && y >= Int($0.y) && y < Int($0.maxY) } ?? false
            let level = inside ? Double(fill?.1 ?? 0) : Double(80 + (x / 10 * 7 + y / 6 * 11) % 60)
            let value = level + brightness + noise[(start + y * 1283 + x * 7) % 4096]
            return UInt8(max(0, min(255, value.rounded())))
        }
        return painter.frame(number, seconds: Double(number) / 10)
    }

    /// Shows frames to a gate whose detector runs whenever the gate allows it.
    private func shut(_ frames: [Frame], refresh: Double = 1, region: NormalizedRegion = .full) -> [Bool] {
        var gate = FrameGate(GateConfiguration(refresh: refresh))
        return frames.map { frame in
            let isShut = gate.opening(for: frame, region: region) == nil
            if !isShut { gate.looked(at: frame.info) }
            return isShut
        }
    }

    @Test func theGateIsShutWhileNothingChanges() {
        let painter = picture()
        let frames = (0..<25).map { painter.frame($0, seconds: Double($0) / 10) }
        #expect(shut(frames) == (0..<25).map { $0 % 10 != 0 })
        #expect(shut(frames, refresh: 0.5).count { !$0 } == 5)
    }

    @Test(arguments: [0.5, 1, 2, 4, 8]) func theNoiseOfASensorDoesNotOpenTheGate(deviation: Double) {
        let frames = (0..<40).map { noisy($0, deviation: deviation) }
        // The estimate of strong noise takes some frames to rise.
        #expect(shut(frames, refresh: 100).suffix(10).allSatisfy { $0 })
    }

    @Test(arguments: [0.0, 1, 2, 4]) func aSmallThingInACornerOpensTheGate(deviation: Double) {
        let thing = Box(x: 310, y: 3, width: 8, height: 8)
        let frames = (0..<40).map { noisy($0, deviation: deviation, fill: $0 >= 35 ? (thing, 220) : nil) }
        let shut = shut(frames, refresh: 100)
        #expect(!shut[35] && shut[36...].allSatisfy { $0 })
    }

    @Test func aChangeOfLightOpensTheGate() {
        let frames = (0..<20).map { noisy($0, deviation: 1, brightness: $0 >= 10 ? 12 : 0) }
        #expect(!shut(frames, refresh: 100)[10])
    }

    @Test func aSlowChangeOfLightAddsUpUntilTheGateOpens() {
        // Two levels a second.
        let frames = (0..<100).map { noisy($0, deviation: 1, brightness: Double($0) / 5) }
        let opened = shut(frames, refresh: 100).dropFirst(20).count { !$0 }
        #expect((1...12).contains(opened), "\(opened)")
    }

    @Test func motionOutsideTheRegionDoesNotOpenTheGate() {
        let frames = (0..<9).map { number in
            var painter = picture()
            painter.fill(Box(x: Float(number) * 5, y: 150, width: 15, height: 15), 255)
            return painter.frame(number, seconds: Double(number) / 10)
        }
        #expect(shut(frames) == Array(repeating: false, count: 9))
        let upper = NormalizedRegion(x: 0, y: 0, width: 1, height: 0.5)
        #expect(shut(frames, region: upper) == [false] + Array(repeating: true, count: 8))
    }

    @Test func theGateOpensForAnotherSizeAndForTimeThatRunsBackwards() {
        let (large, small) = (picture(), FramePainter(width: 160, height: 120))
        #expect(shut([large.frame(1, seconds: 0), small.frame(2, seconds: 0.1)]) == [false, false])
        #expect(shut([large.frame(1, seconds: 5), large.frame(2, seconds: 0.1)]) == [false, false])
        var gate = FrameGate(GateConfiguration(refresh: 1))
        _ = gate.opening(for: large.frame(1, seconds: 0), region: .full)
        gate.looked(at: large.frame(1, seconds: 0).info)
        gate.open()
        #expect(gate.opening(for: large.frame(2, seconds: 0.1), region: .full) == .reset)
    }

    @Test func theGateSaysWhatOpenedIt() throws {
        var painter = picture()
        var gate = FrameGate(GateConfiguration(refresh: 1))
        #expect(gate.opening(for: painter.frame(1, seconds: 0), region: .full) == .reset)
        gate.looked(at: painter.frame(1, seconds: 0).info)
        #expect(gate.opening(for: painter.frame(2, seconds: 0.5), region: .full) == nil)
        #expect(!gate.isAtRest(at: painter.frame(2, seconds: 0.9).info))
        #expect(gate.opening(for: painter.frame(3, seconds: 1), region: .full) == .refresh(limit: 1))
        // A look by refresh alone does not end the rest.
        gate.looked(at: painter.frame(3, seconds: 1).info)
        #expect(gate.isAtRest(at: painter.frame(4, seconds: 1.1).info))
        let thing = Box(x: 203, y: 101, width: 12, height: 12)
        painter.fill(thing, 255)
        let opening = gate.opening(
            for: painter.frame(4, seconds: 1.2), region: NormalizedRegion(x: 0.25, y: 0.25, width: 0.75, height: 0.75))
        // Another region is a picture of another size.
        #expect(opening == .reset)
        guard
            case .change(let tile, let excess, let limit) = gate.opening(
                for: painter.frame(5, seconds: 1.3), region: .full)
        else {
            Issue.record("the gate is shut")
            return
        }
        #expect(tile.intersectionOverUnion(thing) > 0, "\(tile)")
        #expect(tile.width == 16 && tile.height == 16)
        #expect(excess >= limit && limit == FrameGate.leastExcess)
        #expect(!gate.isAtRest(at: painter.frame(6, seconds: 1.4).info))
    }

    @Test func aChangedTileIsInPixelsOfTheFrame() throws {
        var painter = picture()
        var gate = FrameGate(GateConfiguration(refresh: 1))
        let lower = NormalizedRegion(x: 0.5, y: 0.5, width: 0.5, height: 0.5)
        _ = gate.opening(for: painter.frame(1, seconds: 0), region: lower)
        gate.looked(at: painter.frame(1, seconds: 0).info)
        painter.fill(Box(x: 312, y: 172, width: 8, height: 8), 255)
        guard case .change(let tile, _, _) = gate.opening(for: painter.frame(2, seconds: 0.1), region: lower) else {
            Issue.record("the gate is shut")
            return
        }
        #expect(tile == Box(x: 312, y: 170, width: 8, height: 8))
    }

    @Test func theGateComparesPicturesOfAnySize() {
        for size in [1, 2, 3, 7, 8, 9, 159, 160, 161, 1279, 1281] {
            let painter = FramePainter(width: size, height: max(1, size * 3 / 4), padding: 3)
            let frames = (0..<3).map { painter.frame($0, seconds: Double($0) / 10) }
            // A picture without an even part has no samples: every frame is new.
            #expect(shut(frames).dropFirst().allSatisfy { $0 == (size >= 3) }, "\(size)")
        }
    }
}
