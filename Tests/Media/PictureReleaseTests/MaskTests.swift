// SPDX-License-Identifier: Apache-2.0
import Frames
import GlimpseTesting
import Observations
import Testing

/// Masks against an independent rule: the crossing number of the pixel's centre.
@Suite struct MaskTests {
    @Test(arguments: Fuzz.seeds(12))
    func noPixelOfAMaskedAreaSurvives(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for format in PixelFormat.allCases {
            let (width, height) = (Int.random(in: 2...97, using: &random), Int.random(in: 2...71, using: &random))
            let masks = (0..<Int.random(in: 1...3, using: &random)).map { Self.mask("m\($0)", &random) }
            let frame = NoiseFrame(width: width, height: height, format: format, &random).frame
            var mask = FrameMask(masks)
            let masked = mask.masked(frame)
            #expect(masked.info == frame.info)
            let zones = masks.map { Zone(name: $0.name, polygon: $0.polygon) }
            var (wrong, changed) = (0, 0)
            for y in 0..<height {
                for x in 0..<width {
                    let centre = Point(
                        x: (Float(x) + 0.5) / Float(width), y: (Float(y) + 0.5) / Float(height))
                    let isMasked = zones.contains { $0.contains(centre) }
                    let samples = Self.samples(masked, x, y)
                    if isMasked, samples.contains(where: { $0 != FrameMask.grey }) { wrong += 1 }
                    // Far from every mask nothing changes.
                    let nearest = zones.map { $0.distanceFromEdge(centre) }.min() ?? 1
                    let reach = 3 / Float(min(width, height))
                    if !isMasked, nearest > reach, samples != Self.samples(frame, x, y) { changed += 1 }
                }
            }
            #expect(wrong == 0 && changed == 0, "\(format) \(width)x\(height) \(masks)")
        }
    }

    /// All samples that show in a pixel.
    static func samples(_ frame: Frame, _ x: Int, _ y: Int) -> [UInt8] {
        frame.withPlanes { planes in
            let luma = planes[0].base[y * planes[0].stride + x]
            return switch frame.format {
            case .gray8: [luma]
            case .nv12:
                [luma] + (0...1).map { planes[1].base[y / 2 * planes[1].stride + x / 2 * 2 + $0] }
            case .i420: [luma] + planes.dropFirst().map { $0.base[y / 2 * $0.stride + x / 2] }
            }
        }
    }

    /// Corners around a point, in the order of their angles, so that edges do not cross.
    private static func mask(_ name: String, _ random: inout SeededRandom) -> Mask {
        let centre = Point(x: .random(in: 0...1, using: &random), y: .random(in: 0...1, using: &random))
        let count = Int.random(in: 3...9, using: &random)
        let corners = (0..<count).map { index -> Point in
            let angle = 2 * Float.pi * Float(index) / Float(count)
            let radius = Float.random(in: 0.05...0.7, using: &random)
            let (sine, cosine) = Self.circle(angle)
            return Point(x: min(1, max(0, centre.x + radius * cosine)), y: min(1, max(0, centre.y + radius * sine)))
        }
        return Mask(name: name, polygon: corners)
    }

    private static func circle(_ angle: Float) -> (Float, Float) {
        // Bhaskara I's approximation; a test needs no library for it.
        func sine(_ x: Float) -> Float {
            let half = x.truncatingRemainder(dividingBy: 2 * .pi)
            let (sign, y): (Float, Float) = half > .pi ? (-1, half - .pi) : (1, half)
            return sign * 16 * y * (.pi - y) / (5 * .pi * .pi - 4 * y * (.pi - y))
        }
        return (sine(angle), sine(angle + .pi / 2))
    }
}

/// A frame of random samples.
final class NoiseFrame {
    let frame: Frame

    init(width: Int, height: Int, format: PixelFormat, sequence: UInt64 = 1, _ random: inout SeededRandom) {
        let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
        let sizes: [(Int, Int)] =
            switch format {
            case .gray8: [(width, height)]
            case .nv12: [(width, height), (2 * columns, rows)]
            case .i420: [(width, height), (columns, rows), (columns, rows)]
            }
        let memory = Memory(sizes.map { size in (size.0 + 5) * size.1 }.reduce(0, +), &random)
        var planes: [Plane] = []
        var start = 0
        for size in sizes {
            planes.append(Plane(base: UnsafePointer(memory.base + start), stride: size.0 + 5))
            start += (size.0 + 5) * size.1
        }
        let time = Int64(sequence) * 33_333_333
        frame = Frame(
            info: FrameInfo(
                sequence: sequence, presentationTime: time, time: Timestamp(nanoseconds: time), clock: .file,
                width: width, height: height), format: format, planes: planes, storage: memory)
    }

    private final class Memory {
        let base: UnsafeMutablePointer<UInt8>

        init(_ count: Int, _ random: inout SeededRandom) {
            base = .allocate(capacity: count)
            // No sample is the paint.
            for index in 0..<count { base[index] = UInt8.random(in: 0...126, using: &random) }
        }

        deinit { base.deallocate() }
    }
}
