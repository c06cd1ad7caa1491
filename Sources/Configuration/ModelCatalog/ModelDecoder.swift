// SPDX-License-Identifier: Apache-2.0
/// How a network's outputs are read.
///
/// Strides are in pixels of the network's input, in the order of the outputs. `overlap`, 0...1, is an intersection over
/// union: two boxes above it are one thing.
package enum ModelDecoder: Sendable, Hashable {
    /// Faces with five points: `cls_S`, `obj_S`, `bbox_S`, `kps_S` for each stride S.
    case yunet(strides: [Int], overlap: Float)
    /// `[1, N, 5 + classes]`: centre, log size, objectness, class scores.
    case yolox(strides: [Int], overlap: Float)
    /// `[1, 5 + classes, rows, columns]`: objectness, box, class scores.
    case fastestdet(overlap: Float)
    case ssd(SSDForm, background: SSDBackground, overlap: Float)
    /// Class scores and, for each side of the box, a distribution over 0...`bins` strides.
    case nanodet(strides: [Int], bins: Int, overlap: Float)
    /// Probabilities of the classes.
    case softmax
    /// Scores of the classes, not yet probabilities.
    case logits
    /// A vector; compared after division by its length. `layer`: the tensor inside the network that it is, averaged
    /// over rows and columns; nil: the network's output.
    case embedding(layer: String? = nil)

    /// The form of an SSD's outputs.
    package enum SSDForm: String, Sendable, CaseIterable {
        /// `[1, 1, N, 7]`: image, class, score, left, top, right, bottom, as proportions. Already suppressed.
        case detectionOutput = "detection-output"
        /// `boxes [1, N, 4]` (left, top, right, bottom, as proportions) and `scores [1, N, classes]`.
        case boxesAndScores = "boxes-scores"
    }

    /// Whether an SSD's class 0 is "nothing"; labels then begin at class 1.
    package enum SSDBackground: String, Sendable, CaseIterable {
        case first, none
    }

    /// The catalogue's word for it.
    package enum Name: String, Sendable, CaseIterable {
        case yunet, yolox, fastestdet, ssd, nanodet, softmax, logits, embedding
    }

    package var name: Name {
        switch self {
        case .yunet: .yunet
        case .yolox: .yolox
        case .fastestdet: .fastestdet
        case .ssd: .ssd
        case .nanodet: .nanodet
        case .softmax: .softmax
        case .logits: .logits
        case .embedding: .embedding
        }
    }
}
