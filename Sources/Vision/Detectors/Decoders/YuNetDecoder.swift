// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import Observations

/// A face in pixels of the network's input.
package struct FaceCandidate: Sendable, ScoredBox {
    package var box: Box
    package var score: Float
    /// In the order of `YuNetDecoder.landmarkNames`.
    package var points: [5 of Point]
    package var classIndex: Int { 0 }
}

/// Turns YuNet's output tensors into faces.
///
/// Source: W. Wu, H. Peng, S. Yu, "YuNet: A Tiny Millisecond-level Face Detector" (2023), and the reference decoder in
/// ShiqiYu/libfacedetection.train: an anchor-free head on strides 8, 16, 32; score = sqrt(cls * obj).
package struct YuNetDecoder: Sendable {
    package static let strides = [8, 16, 32]
    /// Boxes that overlap more than this are the same face (the reference decoder's value).
    package static let maximumOverlap: Float = 0.3
    package static let landmarkNames: [Face.Landmark.Name] = [.rightEye, .leftEye, .noseBase, .mouthRight, .mouthLeft]

    /// Where the tensors of one stride are among the outputs; N = (height / stride) * (width / stride) cells, row by
    /// row.
    private struct Level: Sendable {
        let stride: Int
        /// `[1, N, 1]`.
        let classScores, objectScores: Int
        /// `[1, N, 4]`: the centre from the cell's corner, in strides, and the logarithm of the size.
        let boxes: Int
        /// `[1, N, 10]`: five points from the cell's corner, in strides.
        let points: Int
    }

    /// Faces below this score are dropped, 0...1.
    package let minimumScore: Float
    private let levels: [Level]

    /// - Parameter outputs: the network's. Those of another network give an error.
    package init(outputs: [TensorDescription], minimumScore: Float) throws(DetectorError) {
        self.minimumScore = minimumScore
        var levels: [Level] = []
        for stride in Self.strides {
            func find(_ name: String, _ columns: Int) throws(DetectorError) -> Int {
                guard let index = outputs.firstIndex(where: { $0.name == "\(name)_\(stride)" }) else {
                    throw DetectorError("not a YuNet model: it has no output \"\(name)_\(stride)\"")
                }
                guard outputs[index].shape.matches([1, nil, columns]) else {
                    throw DetectorError(
                        "not a YuNet model: output \"\(name)_\(stride)\" is \(outputs[index].shape), not [1, ?, \(columns)]"
                    )
                }
                return index
            }
            levels.append(
                Level(
                    stride: stride, classScores: try find("cls", 1), objectScores: try find("obj", 1),
                    boxes: try find("bbox", 4), points: try find("kps", 10)))
        }
        self.levels = levels
    }

    /// - Parameters:
    ///   - tensors: in the order of `outputs`. Sizes that are not those of the input give an error.
    ///   - width: of the network's input in pixels, a multiple of 32; so is `height`.
    ///   - faces: what was in it is replaced: best first, each the blend of the candidates that are the same face.
    package func decode(_ tensors: [Tensor], width: Int, height: Int, into faces: inout [FaceCandidate])
        throws(DetectorError)
    {
        faces.removeAll(keepingCapacity: true)
        for level in levels { try decode(level, tensors, width, height, into: &faces) }
        faces.blendOverlaps(above: Self.maximumOverlap)
    }

    private func decode(
        _ level: Level, _ tensors: [Tensor], _ width: Int, _ height: Int, into faces: inout [FaceCandidate]
    ) throws(DetectorError) {
        let (classes, objects) = (tensors[level.classScores].values, tensors[level.objectScores].values)
        let (boxes, points) = (tensors[level.boxes].values, tensors[level.points].values)
        let columns = width / level.stride
        let cells = columns * (height / level.stride)
        guard classes.count == cells, objects.count == cells, boxes.count == 4 * cells, points.count == 10 * cells
        else {
            throw DetectorError("the model's outputs at stride \(level.stride) are not YuNet's for \(width)x\(height)")
        }
        let scale = Float(level.stride)
        // score >= minimum means cls * obj >= minimum squared: no square root for the thousands of empty cells.
        let minimumProduct = minimumScore * minimumScore
        for cell in 0..<cells {
            let product = unit(classes[cell]) * unit(objects[cell])
            guard product >= minimumProduct else { continue }
            let (row, column) = (Float(cell / columns), Float(cell % columns))
            let (boxWidth, boxHeight) = (exp(boxes[4 * cell + 2]) * scale, exp(boxes[4 * cell + 3]) * scale)
            let box = Box(
                x: (column + boxes[4 * cell]) * scale - boxWidth / 2,
                y: (row + boxes[4 * cell + 1]) * scale - boxHeight / 2, width: boxWidth, height: boxHeight)
            // A face may reach beyond the picture, but not be many times its size: the areas of such boxes are
            // infinite.
            guard box.isValid, boxWidth <= Float(4 * width), boxHeight <= Float(4 * height) else { continue }
            var isFinite = true
            let landmarks = [5 of Point] { index in
                let point = Point(
                    x: (points[10 * cell + 2 * index] + column) * scale,
                    y: (points[10 * cell + 2 * index + 1] + row) * scale)
                isFinite = isFinite && point.isFinite
                return point
            }
            guard isFinite else { continue }
            faces.append(FaceCandidate(box: box, score: product.squareRoot(), points: landmarks))
        }
    }

    /// Clamped to 0...1; not a number counts as 0.
    private func unit(_ value: Float) -> Float {
        value > 0 ? min(value, 1) : 0
    }
}
