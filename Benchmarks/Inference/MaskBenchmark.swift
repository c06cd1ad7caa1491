// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Frames
import GStreamerSource
import Observations
import Settings

/// Measures what masks cost: painting a buffer that is the stream's alone, and a stream whose buffers must be copied.
struct MaskBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "masks", abstract: "Microseconds of CPU that masks cost a 1280x720 frame.",
        discussion: """
            In place: the median time to paint one buffer. Copied: a source gives one buffer again and again, as a \
            decoder does that still reads it. The figure is this process's CPU with masks less that without, the median \
            of the rounds.
            """)

    @Option(help: "Frames of each measurement.") var frames = 2000
    @Option(help: "Streams with masks and without, by turns.") var rounds = 7

    private static let size = (width: 1280, height: 720)
    private static let places: [(name: String, masks: [Mask])] = [
        ("a thousandth, in a corner", [mask([(0, 0), (0.03, 0), (0.03, 0.03), (0, 0.03)])]),
        ("a fifth, at the top", [mask([(0, 0), (1, 0), (1, 0.2), (0, 0.2)])]),
        (
            "four triangles, half of the frame",
            [Float(0), 0.25, 0.5, 0.75].map { mask([($0, 0), ($0 + 0.25, 0.5), ($0, 1)]) }
        ),
        ("the whole frame", [mask([(0, 0), (1, 0), (1, 1), (0, 1)])]),
    ]

    func run() throws {
        print("| masked | NV12 in place | NV12 copied | I420 in place | I420 copied |\n|---|---|---|---|---|")
        for (name, masks) in Self.places {
            var cells: [Double] = []
            for format in [PixelFormat.nv12, .i420] {
                cells.append(painting(masks, format))
                cells.append(
                    try Self.median((0..<rounds).map { _ in try stream(masks, format) - stream([], format) }))
            }
            print("| \(name) | " + cells.map { "\(Int($0.rounded()))" }.joined(separator: " | ") + " |")
        }
    }

    /// Microseconds to paint one buffer.
    private func painting(_ masks: [Mask], _ format: PixelFormat) -> Double {
        let (width, height) = Self.size
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: width * height * 3 / 2)
        memory.initialize(repeating: 90, count: width * height * 3 / 2)
        defer { memory.deallocate() }
        let chroma = memory + width * height
        let planes: [MutablePlane] =
            switch format {
            case .nv12: [MutablePlane(base: memory, stride: width), MutablePlane(base: chroma, stride: width)]
            default:
                [
                    MutablePlane(base: memory, stride: width), MutablePlane(base: chroma, stride: width / 2),
                    MutablePlane(base: chroma + width * height / 4, stride: width / 2),
                ]
            }
        var mask = FrameMask(masks)
        return Self.median(
            (0..<frames).map { _ in
                let start = Measured.now()
                mask.paint(planes, format, width: width, height: height)
                return 1000 * (Measured.now() - start)
            })
    }

    /// Microseconds of CPU for a frame of a stream.
    private func stream(_ masks: [Mask], _ format: PixelFormat) throws -> Double {
        let caps =
            "video/x-raw,format=\(format == .nv12 ? "NV12" : "I420"),width=\(Self.size.width),height=\(Self.size.height)"
        var settings = SourceSettings(
            kind: .launch("videotestsrc num-buffers=1 ! \(caps) ! imagefreeze num-buffers=\(frames)"))
        settings.masks = masks
        let start = Measured.now()
        let source = GStreamerSource(settings)
        try source.start()
        defer { source.stop() }
        // Lanes hold frames for a while.
        var held: [Frame] = []
        // A `launch` source that ends has failed.
        while case .frame(let frame) = source.next(timeout: .seconds(5)) { held = held.suffix(2) + [frame] }
        return 1000 * (Measured.now() - start) / Double(frames)
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private static func mask(_ corners: [(Float, Float)]) -> Mask {
        Mask(name: "m", polygon: corners.map { Point(x: $0.0, y: $0.1) })
    }
}
