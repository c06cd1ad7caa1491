// SPDX-License-Identifier: Apache-2.0
import Frames
import GStreamerSource
import GlimpseTesting
import Observations
import Settings
import Testing

/// Masks are at their places in the upright frame, however a source turns its pictures.
@Suite struct MaskOrientationTests {
    /// A way to turn pictures: keys of `[source]`, or a tag in the stream.
    struct Turn: Sendable, CustomTestStringConvertible {
        var rotation = RotationSetting.auto
        var tag: String?
        var mirror: Bool

        static let byKeys = RotationSetting.Degrees.allCases.flatMap { degrees in
            [false, true].map { Turn(rotation: .fixed(degrees), mirror: $0) }
        }
        static let byTags = ["rotate-", "flip-rotate-"].flatMap { kind in
            [0, 90, 180, 270].flatMap { degrees in
                [false, true].map { Turn(tag: "\(kind)\(degrees)", mirror: $0) }
            }
        }

        var testDescription: String { "\(rotation) \(tag ?? "") \(mirror ? "mirror" : "")" }

        /// Whether the upright picture is as wide as the source's picture is high.
        var swapsSides: Bool {
            if case .fixed(let degrees) = rotation { return degrees.rawValue % 180 != 0 }
            return tag?.hasSuffix("90") == true || tag?.hasSuffix("270") == true
        }
    }

    /// - Parameter isShared: the stream gives one buffer twice, so that a picture cannot be painted in place.
    @Test(arguments: Turn.byKeys + Turn.byTags, [false, true])
    func masksHoldInTheUprightFrameInEveryOrientation(turn: Turn, isShared: Bool) throws {
        var random = SeededRandom(seed: UInt64(turn.testDescription.utf8.reduce(0) { $0 * 31 % 65521 + Int($1) }))
        for _ in Fuzz.rounds(3) {
            let (width, height) = (Int.random(in: 40...130, using: &random), Int.random(in: 30...90, using: &random))
            let format = try #require(["NV12", "I420", "GRAY8"].randomElement(using: &random))
            let caps = Self.caps(format, width, height)
            let pictures = isShared ? "num-buffers=1 ! \(caps) ! imagefreeze num-buffers=3" : "num-buffers=3 ! \(caps)"
            let tag = turn.tag.map { " ! taginject tags=image-orientation=\($0)" } ?? ""
            var settings = SourceSettings(
                kind: .launch("videotestsrc pattern=smpte100 \(pictures)\(tag)"),
                rotation: turn.rotation, mirror: turn.mirror)
            let plain = try #require(FrameReader(settings, most: 1).frames.first)
            let zones = Self.triangles(&random)
            settings.masks = zones.map { Mask(name: $0.name, polygon: $0.polygon) }
            let masked = try #require(FrameReader(settings, most: 1).frames.first)
            let size = turn.swapsSides ? [height, width] : [width, height]
            #expect([plain.width, plain.height] == size && [masked.width, masked.height] == size)
            let found = Self.compare(masked, plain, zones)
            #expect(
                found.shown == 0 && found.changed == 0 && found.hidden > 50,
                "\(found) \(format) \(width)x\(height) \(zones)")
        }
    }

    /// The tag of a later picture turns the frame and leaves the mask where it is.
    @Test func masksHoldWhileAStreamChangesItsOrientation() {
        let part = "videotestsrc num-buffers=4 ! \(Self.caps("NV12", 96, 48)) ! identity sleep-time=5000"
        var random = SeededRandom(seed: 7)
        let zones = Self.triangles(&random)
        var settings = SourceSettings(
            kind: .launch(
                "concat name=c \(part) ! taginject tags=image-orientation=rotate-90 ! c. \(part) ! c."
                    + " \(part) ! taginject tags=image-orientation=flip-rotate-0 ! c. c."))
        settings.masks = zones.map { Mask(name: $0.name, polygon: $0.polygon) }
        let read = FrameReader(settings)
        #expect(Set(read.frames.map(\.width)).count == 2, "\(read.infos)")
        for frame in read.frames { #expect(Self.compare(frame, frame, zones).shown == 0) }
    }

    private static func caps(_ format: String, _ width: Int, _ height: Int) -> String {
        "video/x-raw,format=\(format),width=\(width),height=\(height),framerate=30/1"
    }

    private static func triangles(_ random: inout SeededRandom) -> [Zone] {
        func point() -> Point { Point(x: .random(in: 0...1, using: &random), y: .random(in: 0...1, using: &random)) }
        var zones: [Zone] = []
        while zones.count < 2 {
            let (a, b, c) = (point(), point(), point())
            let area = abs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) / 2
            if area > 0.08 { zones.append(Zone(name: "m\(zones.count)", polygon: [a, b, c])) }
        }
        return zones
    }

    /// Shown: pixels of masks that are not grey. Hidden: pixels of masks that `plain` shows otherwise. Changed: pixels
    /// far from every mask that are not as in `plain`.
    private static func compare(_ masked: Frame, _ plain: Frame, _ zones: [Zone])
        -> (shown: Int, hidden: Int, changed: Int)
    {
        var (shown, hidden, changed) = (0, 0, 0)
        let reach = 3 / Float(min(masked.width, masked.height))
        for y in 0..<masked.height {
            for x in 0..<masked.width {
                let centre = Point(
                    x: (Float(x) + 0.5) / Float(masked.width), y: (Float(y) + 0.5) / Float(masked.height))
                let (after, before) = (samples(masked, x, y), samples(plain, x, y))
                if zones.contains(where: { $0.contains(centre) }) {
                    if after.contains(where: { $0 != Int(FrameMask.grey) }) { shown += 1 }
                    if after != before { hidden += 1 }
                } else if zones.allSatisfy({ $0.distanceFromEdge(centre) > reach }), after != before {
                    changed += 1
                }
            }
        }
        return (shown, hidden, changed)
    }

    private static func samples(_ frame: Frame, _ x: Int, _ y: Int) -> [Int] {
        [frame.luma(x, y)] + (frame.chroma(x, y).map { [$0.blue, $0.red] } ?? [])
    }
}
