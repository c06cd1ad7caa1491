// SPDX-License-Identifier: Apache-2.0
import Detectors
import ModelCatalog

extension ModelDecoder {
    /// The decoder of boxes with classes for a network's outputs, and the overlap above which two boxes are one thing.
    ///
    /// Throws when the outputs are another network's, and for decoders that give no such boxes.
    func boxes(_ outputs: [TensorDescription], input: NetworkSize) throws(DetectorError) -> (
        decoder: any BoxDecoder, overlap: Float
    ) {
        switch self {
        case .yolox(let strides, let overlap):
            return (try YOLOXDecoder(outputs: outputs, input: input, strides: strides), overlap)
        case .fastestdet(let overlap):
            return (try FastestDetDecoder(outputs: outputs, input: input), overlap)
        case .ssd(let form, let background, let overlap):
            let decoder = try SSDDecoder(
                outputs: outputs, input: input, isDetectionOutput: form == .detectionOutput,
                hasBackground: background == .first)
            return (decoder, overlap)
        case .nanodet(let strides, let bins, let overlap):
            return (try NanoDetDecoder(outputs: outputs, input: input, strides: strides, bins: bins), overlap)
        case .yunet, .softmax, .logits, .embedding:
            throw DetectorError("its decoder is \(name.rawValue), which gives no boxes with classes")
        }
    }

    /// The decoder of a classifier's outputs.
    func classes(_ outputs: [TensorDescription]) throws(DetectorError) -> ClassScores {
        switch self {
        case .softmax: try ClassScores(outputs: outputs, areLogits: false)
        case .logits: try ClassScores(outputs: outputs, areLogits: true)
        default: throw DetectorError("its decoder, \(name.rawValue), gives no classes of a picture")
        }
    }
}

/// A model that is not what its catalogue entry says.
func mismatch(_ path: String, _ reason: some CustomStringConvertible) -> DetectorError {
    DetectorError("unusable model: \(reason) (\(path))")
}

/// Throws when a model's classes and its labels are not equally many.
func check(classes: Int?, labels: Int?, path: String) throws(DetectorError) {
    guard let classes, let labels, classes != labels else { return }
    throw mismatch(path, "it has \(classes) classes, and there are \(labels) labels")
}
