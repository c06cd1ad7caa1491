// SPDX-License-Identifier: Apache-2.0
import COpenVINO
import Detectors
import ModelCatalog

/// A model file as read, reshaped and checked; not yet compiled.
final class Network {
    let handle: OpaquePointer
    let outputs: [TensorDescription]

    init(_ options: InferenceOptions) throws(DetectorError) {
        var network: OpaquePointer?
        let complaint = withErrorText { text, capacity in
            options.withTexts { device, path, output, folder in
                var c = covn_network_options()
                (c.device, c.path, c.output, c.cache_dir) = (device, path, output, folder)
                (c.input_width, c.input_height) = (Int32(options.input.width), Int32(options.input.height))
                c.layout = options.input.layout == .nchw ? COVN_LAYOUT_NCHW : COVN_LAYOUT_NHWC
                c.channels =
                    switch options.input.colour {
                    case .bgr: COVN_CHANNELS_BGR
                    case .rgb: COVN_CHANNELS_RGB
                    case .grey: COVN_CHANNELS_GREY
                    }
                _ = covn_network_read(&c, &network, text, capacity)
            }
        }
        guard let network else { throw DetectorError(complaint) }
        handle = network
        outputs = (0..<covn_network_output_count(network)).map { index in
            var tensor = covn_tensor()
            covn_network_output(network, index, &tensor)
            return TensorDescription(name: tensor.name.map { String(cString: $0) } ?? "", shape: tensor.shape)
        }
    }

    deinit { covn_network_destroy(handle) }
}

extension InferenceOptions {
    /// The texts of the options in C's form, valid until `body` returns.
    fileprivate func withTexts(
        _ body: (
            _ device: UnsafePointer<CChar>, _ path: UnsafePointer<CChar>, _ output: UnsafePointer<CChar>,
            _ cacheFolder: UnsafePointer<CChar>
        ) -> Void
    ) {
        device.withCString { device in
            path.withCString { path in
                (output ?? "").withCString { output in
                    (cacheFolder ?? "").withCString { body(device, path, output, $0) }
                }
            }
        }
    }
}

extension covn_tensor {
    var shape: TensorShape {
        withUnsafeBytes(of: dimensions) { bytes in
            let sizes = bytes.assumingMemoryBound(to: Int64.self)
            return TensorShape(rank: rank) { sizes[$0] < 0 ? nil : Int(sizes[$0]) }
        }
    }
}
