// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Glibc
import GlimpseTesting
import Inference
import ModelCatalog
import Testing

@Suite(.enabled(if: SharedData.has("models"))) struct CacheTests {
    private let scope = TestScope()
    private let kind = InferencePicture.Kind(format: .nv12, width: 128, height: 64)

    private func options(
        _ folder: String?, width: Int = 64, file: String = SharedData.path("models/yunet_s_640_640.onnx")
    ) -> InferenceOptions {
        InferenceOptions(path: file, input: ModelInput(width: width, height: 32), cacheFolder: folder)
    }

    /// One start: whether the graph came out of the cache, and the network's output.
    private func start(_ folder: String, width: Int = 64) throws -> (isCached: Bool, outputs: [[Float]]) {
        let model = try InferenceModel(options(folder, width: width))
        try model.infer(MemoryPicture(kind, smooth: true))
        return (model.isCached, model.tensors.map { Array($0.values) })
    }

    /// By size: the descriptions of networks, then the compiled graphs.
    private func files(_ folder: String) throws -> [String] {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob("\(folder)/*", 0, nil, &found) == 0 else { return [] }
        let paths = (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
        return try paths.map { ($0, try readBytes($0).count) }.sorted { $0.1 < $1.1 }.map(\.0)
    }

    @Test func theSecondStartLoadsTheModelFromTheCache() throws {
        let folder = scope.path("deep/cache")
        mkdir(scope.path("deep"), 0o755)
        let first = try start(folder)
        let second = try start(folder)
        #expect(!first.isCached && second.isCached)
        #expect(first.outputs == second.outputs)
        #expect(try files(folder).count == 2)
        #expect(try !start(folder, width: 96).isCached)
        #expect(try files(folder).count == 4)
    }

    /// A described network is not parsed, and has the outputs of the parsed one.
    @Test(arguments: ["yunet_s_640_640.onnx", "yolox_nano_416.onnx", "SqueezeNet_fp16.onnx"])
    func aDescriptionNamesTheOutputs(file: String) throws {
        let folder = scope.path("cache")
        let input = ModelInput(width: 224, height: 224)
        func outputs(_ folder: String?) throws -> [TensorDescription] {
            let path = SharedData.path("models/\(file)")
            return try InferenceModel(InferenceOptions(path: path, input: input, cacheFolder: folder)).outputs
        }
        let parsed = try outputs(nil)
        #expect(!parsed.isEmpty)
        for _ in 0..<2 { #expect(try outputs(folder) == parsed) }
        #expect(try files(folder).count == 1)
    }

    /// A file that another one has replaced would be compiled under the first one's name.
    @Test func aModelThatChangesBetweenDescriptionAndCompilationIsRefused() throws {
        let folder = scope.path("cache")
        let file = scope.path("model.onnx")
        scope.write("model.onnx", bytes: try readBytes(SharedData.path("models/yunet_s_640_640.onnx")))
        _ = try InferenceModel(options(folder, file: file))
        let described = try InferenceModel(options(folder, file: file))
        scope.write("model.onnx", bytes: try readBytes(SharedData.path("models/yunet_n_640_640.onnx")))
        let error = try #require(
            #expect(throws: DetectorError.self) { try described.infer(MemoryPicture(kind, smooth: true)) })
        #expect("\(error)" == "the model has changed since the start: restart the pipeline (\(file))")
        try InferenceModel(options(folder, file: file)).infer(MemoryPicture(kind, smooth: true))
    }

    @Test(arguments: Fuzz.seeds(8))
    func aDamagedDescriptionIsReplaced(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let folder = scope.path("cache")
        let first = try start(folder)
        let file = try #require(try files(folder).first)
        let whole = try readBytes(file)
        var bytes = whole
        if seed % 2 == 0 {
            bytes.removeLast(.random(in: 1...bytes.count, using: &random))
        } else {
            bytes[.random(in: 0..<bytes.count, using: &random)] ^= 1
        }
        scope.write("cache/\(file.split(separator: "/").last ?? "")", bytes: bytes)
        let damaged = try start(folder)
        #expect(damaged.isCached)
        #expect(damaged.outputs == first.outputs)
        #expect(try readBytes(file) == whole)
    }

    /// OpenVINO's own cache computes with damaged weights without an error.
    @Test(arguments: Fuzz.seeds(4))
    func aDamagedCacheFileIsReplaced(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let folder = scope.path("cache")
        let first = try start(folder)
        let file = try #require(try files(folder).last)
        var bytes = try readBytes(file)
        switch seed % 4 {
        case 0: bytes.removeLast(.random(in: 1...bytes.count, using: &random))
        case 1: bytes[.random(in: 0..<bytes.count, using: &random)] ^= 1
        case 2: bytes = (0..<5000).map { _ in .random(in: 0...255, using: &random) }
        default: bytes += [0]
        }
        scope.write("cache/\(file.split(separator: "/").last ?? "")", bytes: bytes)
        let damaged = try start(folder)
        #expect(!damaged.isCached)
        #expect(damaged.outputs == first.outputs)
        let mended = try start(folder)
        #expect(mended.isCached)
        #expect(mended.outputs == first.outputs)
    }

    @Test func anImpossibleCacheFolderIsNotAFailure() throws {
        scope.write("file", "not a folder")
        #expect(try !start(scope.path("file")).isCached)
        #expect(try !start("/proc/none").isCached)
    }

    private func readBytes(_ path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        fseek(file, 0, SEEK_END)
        var bytes = [UInt8](repeating: 0, count: ftell(file))
        rewind(file)
        #expect(fread(&bytes, 1, bytes.count, file) == bytes.count)
        return bytes
    }
}
