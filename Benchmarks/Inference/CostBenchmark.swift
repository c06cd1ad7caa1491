// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import CAllocations
import Frames
import Inference
import ModelCatalog
import Observations

/// Measures a frame, the compiled graph alone and the network alone.
struct CostBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cost", abstract: "Milliseconds of CPU and heap allocations a frame, one thread.",
        discussion: """
            network: the network on a grey picture of its own size, which needs neither resize nor colour. graph: the compiled graph \
            again on the same frame. whole: planes in, boxes out. The three take turns; the smallest of all rounds counts.
            """)

    @OptionGroup var arguments: ModelArguments

    @Option(help: "Rounds.")
    var rounds = 200

    @Argument(help: "A photograph.")
    var picture: String

    func run() throws {
        print(
            """
            | model | frame | network input | network ms | graph ms | whole ms | whole - graph | allocations a frame, whole | graph |
            |---|---|---|---|---|---|---|---|---|
            """)
        for size in [(width: 640, height: 480), (width: 1280, height: 720)] {
            let frame = try Picture.frame(picture, size: size)
            // YuNet: what the face detector takes in modes fast and accurate with its default smallest face.
            let small = size.width == 640 ? (320, 256) : (320, 192)
            let large = size.width == 640 ? (640, 480) : (640, 352)
            for (name, input) in [
                ("yunet_s_640_640", small), ("yunet_s_640_640", large), ("yunet_n_640_640", small),
                ("yunet_n_640_640", large), ("yolox_nano", nil), ("fastestdet", nil), ("squeezenet", nil),
            ] as [(String, (Int, Int)?)] {
                print(try row(arguments.entry(name), frame, input))
            }
        }
        print("\n" + (try region(width: 640, height: 360)) + "\n" + (try region(width: 1280, height: 720)))
    }

    /// A region of a larger picture has padded rows, which are packed first.
    private func region(width: Int, height: Int) throws -> String {
        let small = try Picture.frame(picture, size: (width, height))
        let large = try Picture.frame(picture, size: (2 * width, 2 * height))
        let centre = FrameView(large, region: NormalizedRegion(x: 0.25, y: 0.25, width: 0.5, height: 0.5))
        let network = try NetworkUnderTest(
            arguments.entry("yunet_s_640_640"), folder: arguments.models, width: 320, height: 192)
        var (whole, region) = (Measured(), Measured())
        _ = try network.detect(FrameView(small))
        _ = try network.detect(centre)
        for _ in 0..<rounds {
            try whole.measure { _ = try network.detect(FrameView(small)) }
            try region.measure { _ = try network.detect(centre) }
        }
        return "yunet_s_640_640 at 320x192: a picture of \(width)x\(height) \(text(whole.least)) ms, "
            + "such a region of \(2 * width)x\(2 * height) \(text(region.least)) ms"
    }

    private func row(_ entry: ModelEntry, _ frame: Frame, _ input: (width: Int, height: Int)?) throws -> String {
        let (width, height) = input ?? (entry.input.width, entry.input.height)
        let network = try NetworkUnderTest(entry, folder: arguments.models, width: width, height: height)
        let alone = try NetworkUnderTest(entry, folder: arguments.models, width: width, height: height)
        let bytes = GreyBytes(count: width * height)
        var info = frame.info
        (info.width, info.height) = (width, height)
        let grey = Frame(
            info: info, format: .gray8,
            planes: [Plane(base: bytes.base, stride: width)], storage: bytes)
        let view = FrameView(frame)
        _ = try alone.detect(FrameView(grey))
        _ = try network.detect(view)
        var (bare, graph, whole) = (Measured(), Measured(), Measured())
        for _ in 0..<rounds {
            try bare.measure { try alone.inferAgain() }
            try graph.measure { try network.inferAgain() }
            try whole.measure { _ = try network.detect(view) }
        }
        let overhead = (whole.least - graph.least) / graph.least * 100
        return "| \(entry.name) | \(frame.width)x\(frame.height) | \(width)x\(height) | \(text(bare.least)) "
            + "| \(text(graph.least)) | \(text(whole.least)) | \(text(whole.least - graph.least)) ms, \(text(overhead)) % "
            + "| \(text(whole.allocations)) | \(text(graph.allocations)) |"
    }

    private func text(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}

/// Memory of one value.
private final class GreyBytes {
    let base: UnsafePointer<UInt8>

    init(count: Int) {
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
        bytes.initialize(repeating: 128, count: count)
        base = UnsafePointer(bytes)
    }

    deinit { base.deallocate() }
}
