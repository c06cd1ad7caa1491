// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Detectors
import Frames
import Glibc
import Inference
import ModelCatalog

/// How long a model takes until it has seen its first frame.
struct StartBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start",
        abstract: "Milliseconds from nothing to the first result: twice with one folder is without and with a cache.")

    @OptionGroup var arguments: ModelArguments

    @Argument(help: "A model of the catalogue.")
    var model: String

    @Argument(help: "The folder of compiled models.")
    var cache: String

    func run() throws {
        let entry = try arguments.entry(model)
        let kind = InferencePicture.Kind(format: .nv12, width: 1280, height: 720)
        let bytes = [UInt8](repeating: 128, count: 1280 * 720)
        let start = Self.now()
        let network = try InferenceModel(
            InferenceOptions(
                path: "\(arguments.models)/\(entry.network.name)", input: entry.input, cacheFolder: cache))
        try bytes.withUnsafeBufferPointer { bytes throws(DetectorError) in
            guard let base = bytes.baseAddress else { return }
            let plane = Plane(base: base, stride: 1280)
            try network.infer(InferencePicture(kind, planes: plane, plane))
        }
        print("\(model): \(Int((Self.now() - start).rounded())) ms, \(network.isCached ? "cached" : "compiled")")
    }

    /// Milliseconds.
    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}
