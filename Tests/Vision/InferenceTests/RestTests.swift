// SPDX-License-Identifier: Apache-2.0
import Detectors
import FoundationEssentials
import Frames
import GlimpseTesting
import ModelCatalog
import Testing

@testable import Inference

/// Models that give the memory of their runs back.
@Suite(.serialized) struct RestTests {
    private let scope = TestScope()

    /// Two lanes use one graph. Tight and padded pictures, the same one twice too, give their own results after a rest.
    @Test(arguments: Fuzz.seeds(6))
    func aRestChangesNoResult(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let input = ModelInput(width: 24, height: 18)
        let kind = InferencePicture.Kind(format: .nv12, width: 48, height: 36)
        let options = InferenceOptions(path: IdentityModel(in: scope, input).path, input: input)
        let lanes = [try InferenceModel(options), try InferenceModel(options)]
        lanes[0].rest()
        let pictures = (0..<4).map { MemoryPicture(kind, padding: $0 % 2 * 6, seed: seed * 10 + UInt64($0)) }
        let expected = pictures.map { ReferencePreprocessing(source: $0, input: input).values }
        for _ in 0..<60 {
            let index = Int.random(in: 0..<pictures.count, using: &random)
            let lane = lanes[Int.random(in: 0..<2, using: &random)]
            try lane.infer(pictures[index])
            #expect(zip(lane.tensors[0].values, expected[index]).allSatisfy { abs($0 - $1) < 0.01 })
            if Bool.random(using: &random) {
                lanes[Int.random(in: 0..<2, using: &random)].rest()
                #expect(zip(lane.tensors[0].values, expected[index]).allSatisfy { abs($0 - $1) < 0.01 })
            }
        }
    }

    @Test(.enabled(if: SharedData.has("models")))
    func aFaceModelAtRestHasLessMemory() throws {
        let input = ModelInput(width: 640, height: 640)
        let model = try InferenceModel(
            InferenceOptions(path: SharedData.path("models/yunet_n_640_640.onnx"), input: input))
        let picture = MemoryPicture(InferencePicture.Kind(format: .nv12, width: 640, height: 640), smooth: true)
        try model.infer(picture)
        let first = model.tensors.map { Array($0.values) }
        let running = privateBytes()
        model.rest()
        let resting = privateBytes()
        #expect(running - resting > 6 << 20, "\(running >> 10) KiB, then \(resting >> 10)")
        for _ in 0..<3 {
            try model.infer(picture)
            #expect(model.tensors.map { Array($0.values) } == first)
            model.rest()
        }
    }

    /// The process's memory that is not a file's.
    private func privateBytes() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }
}
