// SPDX-License-Identifier: Apache-2.0
import COpenVINO

/// The library that runs networks.
package enum InferenceRuntime {
    /// Loads the library for the processor, which the first network does otherwise. Starts no thread.
    package static func load() { covn_load_processor() }
}
