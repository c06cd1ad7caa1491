#if canImport(Glibc)
    import Glibc
#endif
import Observations

/// Turns YuNet's output tensors into faces.
///
/// Source: W. Wu, H. Peng, S. Yu, "YuNet: A Tiny Millisecond-level Face Detector" (2023), and the reference decoder in
/// ShiqiYu/libfacedetection.train: an anchor-free head on strides 8, 16, 32; score = sqrt(cls * obj).
public struct YuNetDecoder: Sendable {
    public static let strides = [8, 16, 32]
    /// Boxes that overlap more than this are the same face (the reference decoder's value).
    public static let maximumOverlap: Float = 0.3
    /// Candidates that go on to suppression, best first (the reference detector's `topK`).
    public static let maximumCandidates = 5000

    /// Network input in pixels; multiples of 32.
    public let inputWidth: Int
    public let inputHeight: Int
    /// Faces below this score are dropped, 0...1.
    public let minimumScore: Float

    public init(inputWidth: Int, inputHeight: Int, minimumScore: Float) {
        self.inputWidth = inputWidth
        self.inputHeight = inputHeight
        self.minimumScore = minimumScore
    }

    /// The four tensors of one stride; N = (height / stride) * (width / stride) cells, row by row.
    public struct StrideOutput {
        /// N class scores.
        public var classScores: UnsafeBufferPointer<Float>
        /// N objectness scores.
        public var objectScores: UnsafeBufferPointer<Float>
        /// N x 4.
        public var boxes: UnsafeBufferPointer<Float>
        /// N x 10: the person's right eye, left eye, nose tip, right mouth corner, left mouth corner.
        public var points: UnsafeBufferPointer<Float>

        public init(
            classScores: UnsafeBufferPointer<Float>, objectScores: UnsafeBufferPointer<Float>,
            boxes: UnsafeBufferPointer<Float>, points: UnsafeBufferPointer<Float>
        ) {
            self.classScores = classScores
            self.objectScores = objectScores
            self.boxes = boxes
            self.points = points
        }
    }

    /// A face in pixels of the network input.
    public struct Candidate: Sendable, Equatable {
        public var box: Box
        public var score: Float
        /// In the order of `landmarkNames`.
        public var points: [Point]
    }

    public static let landmarkNames: [Face.Landmark.Name] = [.rightEye, .leftEye, .noseBase, .mouthRight, .mouthLeft]

    /// - Parameter outputs: one for each of `strides`. Tensors of another size give an error.
    /// - Returns: best first, each the blend of the candidates that are the same face.
    public func decode(_ outputs: [StrideOutput]) throws(DetectorError) -> [Candidate] {
        guard outputs.count == Self.strides.count else {
            throw DetectorError(
                "YuNet gives outputs for \(Self.strides.count) strides, this model for \(outputs.count)")
        }
        var candidates: [Candidate] = []
        for (stride, output) in zip(Self.strides, outputs) {
            try decode(output, stride: stride, into: &candidates)
        }
        if candidates.count > Self.maximumCandidates {
            candidates.sort { $0.score > $1.score }
            candidates.removeLast(candidates.count - Self.maximumCandidates)
        }
        return Self.blended(candidates)
    }

    private func decode(_ output: StrideOutput, stride: Int, into candidates: inout [Candidate]) throws(DetectorError) {
        let columns = inputWidth / stride
        let cells = columns * (inputHeight / stride)
        guard output.classScores.count == cells, output.objectScores.count == cells, output.boxes.count == 4 * cells,
            output.points.count == 10 * cells
        else {
            throw DetectorError(
                "the model's outputs at stride \(stride) are not YuNet's for \(inputWidth)x\(inputHeight)")
        }
        let scale = Float(stride)
        // score >= minimum means cls * obj >= minimum squared: no square root for the thousands of empty cells.
        let minimumProduct = minimumScore * minimumScore
        for cell in 0..<cells {
            let product = unit(output.classScores[cell]) * unit(output.objectScores[cell])
            guard product >= minimumProduct else { continue }
            let (row, column) = (Float(cell / columns), Float(cell % columns))
            let width = exp(output.boxes[4 * cell + 2]) * scale
            let height = exp(output.boxes[4 * cell + 3]) * scale
            let box = Box(
                x: (column + output.boxes[4 * cell]) * scale - width / 2,
                y: (row + output.boxes[4 * cell + 1]) * scale - height / 2, width: width, height: height)
            // A face may reach beyond the picture, but not be many times its size: the areas of such boxes are infinite.
            guard box.isValid, width <= Float(4 * inputWidth), height <= Float(4 * inputHeight) else { continue }
            let points = (0..<5).map { index in
                Point(
                    x: (output.points[10 * cell + 2 * index] + column) * scale,
                    y: (output.points[10 * cell + 2 * index + 1] + row) * scale)
            }
            guard points.allSatisfy(\.isFinite) else { continue }
            candidates.append(Candidate(box: box, score: product.squareRoot(), points: points))
        }
    }

    /// Clamped to 0...1; not a number counts as 0.
    private func unit(_ value: Float) -> Float {
        value > 0 ? min(value, 1) : 0
    }
}
