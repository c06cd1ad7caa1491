// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import GlimpseTesting
import Inference
import Observations

/// A picture that owns its memory, with any bytes around it.
final class MemoryPicture {
    let kind: InferencePicture.Kind
    private var planes: [Samples] = []

    private struct Samples {
        let columns, rows, channels: Int
        let memory: UnsafeMutableBufferPointer<UInt8>
        /// Offset of the first sample.
        let offset: Int
        let stride: Int
    }

    /// - Parameter padding: bytes after each row; also rows above and columns to the left, so that the picture is a
    ///   region of a larger one.
    init(_ kind: InferencePicture.Kind, padding: Int = 0, seed: UInt64 = 1, smooth: Bool = false) {
        self.kind = kind
        var random = SeededRandom(seed: seed)
        for (columns, rows, channels) in Self.layout(kind) {
            let stride = columns * channels + padding
            let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: stride * (rows + padding) + padding)
            for index in memory.indices {
                memory[index] =
                    smooth
                    ? UInt8(40 + (index % stride) * 60 / stride + index / stride % 100)
                    : .random(in: 0...255, using: &random)
            }
            planes.append(
                Samples(
                    columns: columns, rows: rows, channels: channels, memory: memory,
                    offset: padding * stride + padding, stride: stride))
        }
    }

    deinit { for plane in planes { plane.memory.deallocate() } }

    private static func layout(_ kind: InferencePicture.Kind) -> [(columns: Int, rows: Int, channels: Int)] {
        let (width, height) = (kind.width, kind.height)
        return switch kind.format {
        case .nv12: [(width, height, 1), (width / 2, height / 2, 2)]
        case .i420: [(width, height, 1), (width / 2, height / 2, 1), (width / 2, height / 2, 1)]
        case .grey: [(width, height, 1)]
        case .bgr: [(width, height, 3)]
        }
    }

    var picture: InferencePicture {
        let views = planes.map {
            Plane(base: UnsafePointer($0.memory.baseAddress.unsafelyUnwrapped) + $0.offset, stride: $0.stride)
        }
        return InferencePicture(
            kind, planes: views[0], views.count > 1 ? views[1] : nil, views.count > 2 ? views[2] : nil)
    }

    /// All bytes, those around the picture too.
    var bytes: [UInt8] { planes.flatMap { Array($0.memory) } }

    /// Copies the rows of planes of the picture's size.
    func fill(from sources: [Plane]) {
        for (plane, source) in zip(planes, sources) {
            for row in 0..<plane.rows {
                for column in 0..<plane.columns * plane.channels {
                    plane.memory[plane.offset + row * plane.stride + column] = source.base[row * source.stride + column]
                }
            }
        }
    }

    /// A sample of a plane; beyond its edges those of the edge.
    func sample(_ plane: Int, channel: Int = 0, _ x: Int, _ y: Int) -> Double {
        let samples = planes[plane]
        let (column, row) = (min(max(x, 0), samples.columns - 1), min(max(y, 0), samples.rows - 1))
        return Double(
            samples.memory[samples.offset + row * samples.stride + column * samples.channels + channel])
    }

    /// Size of a plane's samples.
    func size(_ plane: Int) -> (columns: Int, rows: Int) {
        (planes[plane].columns, planes[plane].rows)
    }
}

extension InferenceModel {
    func infer(_ source: MemoryPicture) throws(DetectorError) {
        defer { withExtendedLifetime(source) {} }
        try infer(source.picture)
    }
}
