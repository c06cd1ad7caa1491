// SPDX-License-Identifier: Apache-2.0
import Detectors
import GlimpseTesting

/// A tensor that owns its memory.
final class TensorValues {
    let description: TensorDescription
    private let buffer: UnsafeMutableBufferPointer<Float>

    init(_ values: [Float], _ shape: TensorShape, name: String = "output") {
        description = TensorDescription(name: name, shape: shape)
        buffer = .allocate(capacity: values.count)
        _ = buffer.initialize(from: values)
    }

    deinit { buffer.deallocate() }

    /// Valid as long as this is.
    var tensor: Tensor { Tensor(UnsafeBufferPointer(buffer), description.shape) }
}

/// Ordinary values and every kind of special value.
func wildValues(_ count: Int, _ random: inout SeededRandom) -> [Float] {
    let extremes: [Float] = [
        .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, 0,
        -0.0,
        1, -1, 88, -88, 1e20, -1e20,
    ]
    return (0..<count).map { _ in
        Int.random(in: 0..<8, using: &random) == 0
            ? extremes[Int.random(in: 0..<extremes.count, using: &random)] : Float.random(in: -3...3, using: &random)
    }
}
