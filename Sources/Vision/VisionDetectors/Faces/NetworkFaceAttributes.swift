// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Inference
import ModelCatalog
import Observations

/// By a network of the catalogue (kind `face_attribute`) that classifies the level face. Used by one thread.
///
/// Its labels say what it tells: `smiling`, `left_eye_open`, `right_eye_open`, `eyes_open` (both). The probabilities of
/// those classes are taken, the other classes are what they are not.
final class NetworkFaceAttributes: FaceAttributes {
    private enum Attribute: String, CaseIterable {
        case smiling
        case leftEyeOpen = "left_eye_open"
        case rightEyeOpen = "right_eye_open"
        case eyesOpen = "eyes_open"
    }

    private let model: InferenceModel
    private let decoder: ClassScores
    /// By class; nil: not one of ours.
    private let attributes: [Attribute?]
    /// Samples along an edge of the square that the network is given: even, and no fewer than it takes.
    private let side: Int
    private var samples: [UInt8] = []
    private var entries: [ClassScores.Entry] = []

    /// - Parameter labels: of the classes, by index.
    init(_ options: InferenceOptions, decoder: ModelDecoder, labels: [String]) throws(DetectorError) {
        model = try InferenceModel(options)
        switch decoder {
        case .softmax: self.decoder = try ClassScores(outputs: model.outputs, areLogits: false)
        case .logits: self.decoder = try ClassScores(outputs: model.outputs, areLogits: true)
        default:
            throw DetectorError("a face_attribute model is read by softmax or logits, not by \(decoder.name.rawValue)")
        }
        attributes = labels.map(Attribute.init)
        guard labels.count == self.decoder.classCount else {
            throw DetectorError("the model has \(self.decoder.classCount) classes and \(labels.count) labels")
        }
        guard attributes.contains(where: { $0 != nil }) else {
            let known = Attribute.allCases.map(\.rawValue).joined(separator: ", ")
            throw DetectorError("none of the model's labels is one of \(known)")
        }
        side = (max(options.input.width, options.input.height) + 1) & ~1
    }

    func rest() { model.rest() }

    func read(_ face: inout Face, in crop: FaceCrop, of frame: Frame) throws(DetectorError) {
        let model = model
        _ = try crop.withPicture(
            of: frame, side: side, samples: &samples,
            { picture throws(DetectorError) in try model.infer(picture) })
        try decoder.decode(model.tensors, limit: decoder.classCount, into: &entries)
        for entry in entries {
            switch attributes[entry.classIndex] {
            case nil: continue
            case .smiling: face.smiling = entry.probability
            case .leftEyeOpen: face.leftEyeOpen = entry.probability
            case .rightEyeOpen: face.rightEyeOpen = entry.probability
            case .eyesOpen: (face.leftEyeOpen, face.rightEyeOpen) = (entry.probability, entry.probability)
            }
        }
    }
}
