import Detectors
import Frames
import GlimpseTesting
import Inference
import Observations

/// A picture in memory of its own, with whatever is around it.
final class MemoryPicture {
    let kind: InferencePicture.Kind
    private var planes: [(memory: UnsafeMutableBufferPointer<UInt8>, offset: Int, stride: Int)] = []

    /// - Parameter padding: bytes after each row; also rows above and columns to the left, so that the picture is a region of a larger one.
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
            planes.append((memory, padding * stride + padding, stride))
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
        for (index, (columns, rows, channels)) in Self.layout(kind).enumerated() {
            for row in 0..<rows {
                for column in 0..<columns * channels {
                    planes[index].memory[planes[index].offset + row * planes[index].stride + column] =
                        sources[index].base[row * sources[index].stride + column]
                }
            }
        }
    }

    /// A sample of a plane; beyond its edges those of the edge.
    func sample(_ plane: Int, channel: Int = 0, _ x: Int, _ y: Int) -> Double {
        let (columns, rows, channels) = Self.layout(kind)[plane]
        let (column, row) = (min(max(x, 0), columns - 1), min(max(y, 0), rows - 1))
        return Double(
            planes[plane].memory[planes[plane].offset + row * planes[plane].stride + column * channels + channel])
    }

    /// Size of a plane's samples.
    func size(_ plane: Int) -> (columns: Int, rows: Int) {
        let layout = Self.layout(kind)[plane]
        return (layout.columns, layout.rows)
    }
}

extension InferenceModel {
    func infer(_ source: MemoryPicture) throws(DetectorError) {
        defer { withExtendedLifetime(source) {} }
        try infer(source.picture)
    }
}
