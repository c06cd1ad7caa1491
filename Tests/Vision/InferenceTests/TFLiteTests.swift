// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Glibc
import GlimpseTesting
import Inference
import ModelCatalog
import Testing

/// TFLite files: NHWC, floats of 32 and of 16 bits, quantised. The files are `Benchmarks/tflite_nets.py`'s.
@Suite struct TFLiteTests {
    private let scope = TestScope()

    private static func path(_ name: String) -> String { "\(Checkout.root)/Tests/Support/tflite/\(name).tflite" }

    /// Values from -1 to 1; a quantised network stores them as whole numbers, 128 for 0.
    private static let floats = ModelInput(
        width: 8, height: 8, colour: .rgb, layout: .nhwc, mean: [128, 128, 128], scale: [128, 128, 128])
    private static let stored = ModelInput(width: 8, height: 8, colour: .rgb, layout: .nhwc)

    private func answers(_ name: String, _ input: ModelInput, _ source: MemoryPicture) throws -> [Float] {
        let model = try InferenceModel(InferenceOptions(path: Self.path(name), input: input))
        try model.infer(source)
        return Array(model.tensors[0].values)
    }

    private func greatestDifference(_ a: [Float], _ b: [Float]) -> Float {
        a.count == b.count ? zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) } : .infinity
    }

    @Test(arguments: InferencePicture.Format.allCases)
    func tfliteModelsGiveTheReferenceOutputs(format: InferencePicture.Format) throws {
        let source = MemoryPicture(InferencePicture.Kind(format: format, width: 12, height: 10), padding: 4)
        let net = SmallNet(ReferencePreprocessing(source: source, input: Self.floats).values)
        for name in ["small", "small-f16"] {
            #expect(greatestDifference(try answers(name, Self.floats, source), net.shares) < 1e-4, "\(name)")
        }
        // Each layer is rounded to 256 values.
        #expect(greatestDifference(try answers("small-u8", Self.stored, source), net.shares) < 0.03)
        #expect(greatestDifference(try answers("small-u8-map", Self.stored, source), net.firstLayer) < 0.03)
    }

    @Test func classesOfATFLiteModelAreRead() throws {
        let source = MemoryPicture(InferencePicture.Kind(format: .nv12, width: 16, height: 16), seed: 5)
        let net = SmallNet(ReferencePreprocessing(source: source, input: Self.floats).values)
        let best = try #require(net.shares.indices.max { net.shares[$0] < net.shares[$1] })
        for (name, input) in [("small", Self.floats), ("small-f16", Self.floats), ("small-u8", Self.stored)] {
            let model = try ClassificationModel(
                InferenceOptions(path: Self.path(name), input: input), decoder: .softmax, labels: 4, limit: 1)
            let entry = try #require(try model.classify(source.picture).first)
            #expect(entry.classIndex == best, "\(name)")
            #expect(abs(entry.probability - net.shares[best]) < 0.03, "\(name)")
        }
    }

    @Test func aTFLiteModelOfAnotherLayoutOrSizeIsRefused() {
        func reason(_ input: ModelInput) -> String {
            do {
                _ = try InferenceModel(InferenceOptions(path: Self.path("small"), input: input))
                return ""
            } catch {
                return error.description
            }
        }
        var planar = Self.floats
        planar.layout = .nchw
        #expect(reason(planar).contains("its input has shape [1,8,8,3]; expected one picture of 3 channels, NCHW"))
        var large = Self.floats
        (large.width, large.height) = (16, 16)
        #expect(reason(large).contains("it cannot take 16x16 pixels"))
    }

    /// A file that ends early, at every length; bytes overwritten: an error that names the file, or a network that
    /// runs.
    @Test func damagedTFLiteFilesAreRefused() throws {
        let whole = try bytes(of: Self.path("small-u8"))
        var damaged = stride(from: 1, to: whole.count, by: 7).map { Array(whole.prefix($0)) }
        var random = SeededRandom(seed: 11)
        for _ in 0..<Fuzz.seeds(200).count {
            var file = whole
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                file[.random(in: 0..<file.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            damaged.append(file)
        }
        var refused = 0
        let source = MemoryPicture(InferencePicture.Kind(format: .bgr, width: 8, height: 8))
        for file in damaged {
            let path = scope.write("damaged.tflite", bytes: file)
            do {
                let model = try InferenceModel(InferenceOptions(path: path, input: Self.stored))
                try model.infer(source)
            } catch {
                refused += 1
                #expect(error.description.contains("model") && error.description.contains(path), "\(error)")
            }
        }
        #expect(refused >= whole.count / 7)
    }

    private func bytes(of path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        return Array(bytes.prefix(fread(&bytes, 1, bytes.count, file)))
    }
}

/// The right output of the fixtures' small network, computed one value at a time.
private struct SmallNet {
    /// 4x4 of three channels, and four classes.
    let firstLayer, shares: [Float]

    /// - Parameter picture: 8x8 of three channels, row by row.
    init(_ picture: [Float]) {
        var first: [Float] = []
        // 3x3 at every second pixel: of the 9 rows and columns that takes, the last one is zeros.
        for (y, x, channel) in Self.places(4, 4, 3) {
            var sum = Self.weight(100, channel)
            for (dy, dx, _) in Self.places(3, 3, 1) where 2 * y + dy < 8 && 2 * x + dx < 8 {
                sum +=
                    picture[((2 * y + dy) * 8 + 2 * x + dx) * 3 + channel] * Self.weight(0, (dy * 3 + dx) * 3 + channel)
            }
            first.append(min(max(sum, 0), 6))
        }
        var means = [Float](repeating: 0, count: 5)
        for (y, x, channel) in Self.places(4, 4, 5) {
            var sum = Self.weight(300, channel)
            for input in 0..<3 { sum += first[(y * 4 + x) * 3 + input] * Self.weight(200, channel * 3 + input) }
            means[channel] += min(max(sum, 0), 6) / 16
        }
        let logits = (0..<4).map { output in
            (0..<5).reduce(Self.weight(500, output)) { $0 + means[$1] * Self.weight(400, output * 5 + $1) }
        }
        let total = logits.reduce(0) { $0 + exp($1) }
        (firstLayer, shares) = (first, logits.map { exp($0) / total })
    }

    private static func places(_ rows: Int, _ columns: Int, _ channels: Int) -> [(Int, Int, Int)] {
        (0..<rows).flatMap { y in (0..<columns).flatMap { x in (0..<channels).map { (y, x, $0) } } }
    }

    /// `sixteenths` of the script.
    private static func weight(_ first: Int, _ index: Int) -> Float {
        Float(((first + index) * 37 + 11) % 19 - 9) / 16
    }
}
