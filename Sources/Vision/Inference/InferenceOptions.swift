// SPDX-License-Identifier: Apache-2.0
import ModelCatalog

/// A network, and the device that it runs on.
package struct InferenceOptions: Hashable, Sendable {
    /// ONNX, TFLite or OpenVINO IR (`.xml`).
    package var path: String
    /// The input of the network. The network is reshaped to this size. A file that cannot be reshaped, or has another
    /// layout, is refused.
    package var input: ModelInput
    /// `CPU`, `AUTO`, `GPU`, `NPU` or what else OpenVINO has a plugin for.
    package var device: String
    /// 1...256; of the CPU.
    package var threads: Int
    /// Where compiled networks are kept from run to run; nil: nowhere.
    package var cacheFolder: String?
    /// A tensor inside the network that is its only output, averaged over rows and columns; nil: the file's own
    /// outputs.
    package var output: String?

    package init(
        path: String, input: ModelInput, device: String = "CPU", threads: Int = 1, cacheFolder: String? = nil,
        output: String? = nil
    ) {
        self.output = output
        self.path = path
        self.input = input
        self.device = device
        self.threads = threads
        self.cacheFolder = cacheFolder
    }
}
