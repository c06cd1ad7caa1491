// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import GlimpseTesting
import ModelCatalog
import Synchronization
import Testing

@testable import Inference

@Suite(.serialized) struct SharingTests {
    private let scope = TestScope()
    private let input = ModelInput(width: 24, height: 18)
    private let kind = InferencePicture.Kind(format: .nv12, width: 48, height: 36)

    private func options(threads: Int = 1) -> InferenceOptions {
        InferenceOptions(path: IdentityModel(in: scope, input).path, input: input, threads: threads)
    }

    @Test func lanesShareACompiledModelUntilTheLastLaneEnds() throws {
        let options = options()
        let before = GraphRegistry.count
        do {
            let models = try (0..<3).map { _ in try InferenceModel(options) }
            for model in models { try model.prepare(for: kind) }
            #expect(GraphRegistry.count == before + 1)
            var other = options
            other.threads = 2
            let another = try InferenceModel(other)
            try another.prepare(for: kind)
            #expect(GraphRegistry.count == before + 2)
            withExtendedLifetime((models, another)) {}
        }
        #expect(GraphRegistry.count == before)
    }

    @Test func aFailedGraphCompilationLeavesNoGraph() throws {
        let before = GraphRegistry.count
        let model = try InferenceModel(options())
        let nothing = InferencePicture.Kind(format: .nv12, width: 48, height: -2)
        #expect(throws: DetectorError.self) { try model.prepare(for: nothing) }
        #expect(GraphRegistry.count == before)
    }

    /// OpenVINO copies a strided tensor into the memory of the last tight tensor, even if another lane owns that
    /// memory. Two lanes use one graph here, with padded and tight pictures in turn. No picture is ever written, and
    /// each gives its own result.
    @Test(arguments: Fuzz.seeds(6))
    func sharedLanesNeverWriteToAPicture(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let options = options()
        let lanes = [try InferenceModel(options), try InferenceModel(options)]
        let pictures = (0..<6).map { MemoryPicture(kind, padding: $0 % 2 == 0 ? 0 : 6, seed: seed * 10 + UInt64($0)) }
        let bytes = pictures.map(\.bytes)
        let expected = pictures.map { ReferencePreprocessing(source: $0, input: input).values }
        for _ in 0..<40 {
            let index = Int.random(in: 0..<pictures.count, using: &random)
            let lane = lanes[Int.random(in: 0..<2, using: &random)]
            try lane.infer(pictures[index])
            #expect(zip(lane.tensors[0].values, expected[index]).allSatisfy { abs($0 - $1) < 0.01 })
            #expect(pictures.map(\.bytes) == bytes)
        }
    }

    @Test func lanesOnSeparateThreadsAreIndependent() async throws {
        let options = options()
        let (kind, input) = (kind, input)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for lane in 0..<4 {
                group.addTask {
                    let source = MemoryPicture(kind, padding: lane % 2 * 6, seed: UInt64(lane))
                    let expected = ReferencePreprocessing(source: source, input: input).values
                    let model = try InferenceModel(options)
                    for _ in 0..<50 {
                        try model.infer(source)
                        guard zip(model.tensors[0].values, expected).allSatisfy({ abs($0 - $1) < 0.01 }) else {
                            return false
                        }
                    }
                    return true
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func graphsOfOtherPictureFormatsAreCompiledAndKept() throws {
        let model = try InferenceModel(options())
        for _ in 0..<2 {
            for width in [20, 30, 40, 50, 60] {
                let source = MemoryPicture(InferencePicture.Kind(format: .grey, width: width, height: 20))
                try model.infer(source)
                let expected = ReferencePreprocessing(source: source, input: input).values
                #expect(zip(model.tensors[0].values, expected).allSatisfy { abs($0 - $1) < 0.01 })
            }
        }
    }
}
