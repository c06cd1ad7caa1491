// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Glibc
import GlimpseTesting
import Inference
import ModelCatalog
import Testing

/// A model that cannot be used gives an error with the reason.
@Suite(.enabled(if: SharedData.has("models"))) struct UnusableModelTests {
    private let scope = TestScope()
    private let kind = InferencePicture.Kind(format: .nv12, width: 64, height: 48)

    private func reason(_ path: String, _ input: ModelInput = ModelInput(width: 64, height: 64)) -> String {
        do {
            try InferenceModel(InferenceOptions(path: path, input: input)).prepare(for: kind)
            return ""
        } catch {
            return error.description
        }
    }

    @Test func filesThatAreNotModelsAreRefused() {
        let empty = scope.write("empty.onnx", "")
        let text = scope.write("text.txt", "weights")
        #expect(reason("/nowhere/model.onnx") == "cannot read model: no such file (/nowhere/model.onnx)")
        #expect(reason(scope.folder) == "cannot read model: not a regular file (\(scope.folder))")
        #expect(reason(empty) == "cannot read model: the file is empty (\(empty))")
        #expect(reason(text) == "cannot read model: expected a .onnx, .tflite or .xml file (\(text))")
    }

    @Test func modelsForOtherPicturesAreRefused() {
        let yunet = SharedData.path("models/yunet_s_640_640.onnx")
        #expect(
            reason(yunet, ModelInput(width: 64, height: 64, layout: .nhwc)).hasPrefix(
                "unusable model: its input has shape [1,3,640,640]; expected one picture of 3 channels, NHWC"))
        #expect(
            reason(yunet, ModelInput(width: 64, height: 64, colour: .grey)).contains(
                "expected one picture of 1 channel, NCHW"))
        let fastest = SharedData.path("models/SqueezeNet_fp16.onnx")
        #expect(
            reason(fastest, ModelInput(width: 8, height: 8)).contains("it cannot take 8x8 pixels"),
            "\(reason(fastest, ModelInput(width: 8, height: 8)))")
    }

    /// A list of devices works if its best device works.
    @Test(arguments: ["GPU", "NPU", "NO_SUCH_DEVICE", "GPU.7", "AUTO:GPU"])
    func devicesThatTheMachineLacksAreRefusedBeforeThereIsAPicture(device: String) throws {
        let input = ModelInput(width: 64, height: 64)
        let options = InferenceOptions(
            path: SharedData.path("models/yunet_s_640_640.onnx"), input: input, device: device)
        let error = #expect(throws: DetectorError.self) { try InferenceModel(options) }
        #expect(error?.description == "this machine has no device \"\(device)\" for OpenVINO; it has CPU")
    }

    @Test(arguments: ["CPU", "AUTO", "AUTO:GPU,CPU"])
    func devicesThatTheMachineHasAreAccepted(device: String) throws {
        let input = ModelInput(width: 64, height: 64)
        let path = SharedData.path("models/yunet_s_640_640.onnx")
        let model = try InferenceModel(InferenceOptions(path: path, input: input, device: device))
        try model.prepare(for: kind)
    }

    @Test func theAutomaticDeviceIsTheProcessor() throws {
        let input = ModelInput(width: 64, height: 64)
        let path = SharedData.path("models/yunet_s_640_640.onnx")
        let outputs = try ["CPU", "AUTO"].map { device in
            let model = try InferenceModel(InferenceOptions(path: path, input: input, device: device))
            try model.infer(MemoryPicture(kind, smooth: true))
            return model.tensors.map { Array($0.values) }
        }
        #expect(outputs[0] == outputs[1])
    }

    @Test func aModelOfAnotherKindIsRefused() throws {
        let yunet = SharedData.path("models/yunet_s_640_640.onnx")
        let input = ModelInput(width: 64, height: 64)
        let decoders: [ModelDecoder] = [
            .yolox(strides: [8, 16, 32], overlap: 0.5), .fastestdet(overlap: 0.5),
            .ssd(.detectionOutput, background: .first, overlap: 0.5),
            .ssd(.boxesAndScores, background: .none, overlap: 0.5),
            .nanodet(strides: [8, 16, 32, 64], bins: 7, overlap: 0.5), .softmax, .yunet(strides: [8], overlap: 0.3),
        ]
        for decoder in decoders {
            let error = #expect(throws: DetectorError.self) {
                try ObjectNetwork(InferenceOptions(path: yunet, input: input), decoder: decoder)
            }
            #expect(error?.description.isEmpty == false)
        }
        #expect(throws: DetectorError.self) {
            try ClassificationModel(
                InferenceOptions(path: yunet, input: input), decoder: .softmax, labels: nil, limit: 3)
        }
    }

    /// Cut off, overwritten in places, or noise: an error, or a network that runs.
    @Test(arguments: Fuzz.seeds(40))
    func damagedModelFilesAreRefused(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let file = try #require(fopen(SharedData.path("models/yunet_s_640_640.onnx"), "r"))
        var bytes = [UInt8](repeating: 0, count: 232_589)
        fread(&bytes, 1, bytes.count, file)
        fclose(file)
        switch seed % 4 {
        case 0: bytes.removeLast(.random(in: 1..<bytes.count, using: &random))
        case 1:
            for _ in 0..<20 {
                bytes[.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
        case 2: for _ in 0..<3 { bytes[.random(in: 0..<2000, using: &random)] = .random(in: 0...255, using: &random) }
        default: bytes = (0..<3000).map { _ in .random(in: 0...255, using: &random) }
        }
        let suffix = seed % 8 == 7 ? "tflite" : "onnx"
        let path = scope.write("damaged.\(suffix)", bytes: bytes)
        do {
            let model = try InferenceModel(InferenceOptions(path: path, input: ModelInput(width: 64, height: 64)))
            try model.infer(MemoryPicture(kind))
        } catch {
            #expect(error.description.contains("model") && error.description.contains(path), "\(error)")
        }
    }

    @Test func invalidPicturesAreRefused() throws {
        let model = try InferenceModel(
            InferenceOptions(
                path: SharedData.path("models/yunet_s_640_640.onnx"), input: ModelInput(width: 64, height: 64)))
        for (width, height) in [(0, 0), (1, 10), (3, 4), (-4, 4), (100_000, 4)] {
            let kind = InferencePicture.Kind(format: .nv12, width: width, height: height)
            #expect(throws: DetectorError.self) { try model.prepare(for: kind) }
        }
        let bytes = [UInt8](repeating: 0, count: 64 * 48)
        bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            #expect(throws: DetectorError("inference failed: picture: a plane is missing")) {
                try model.infer(InferencePicture(kind, planes: Plane(base: base, stride: 64)))
            }
            #expect(throws: DetectorError("inference failed: picture: a row stride is smaller than the row")) {
                try model.infer(InferencePicture(kind, planes: Plane(base: base, stride: 63)))
            }
        }
    }
}
