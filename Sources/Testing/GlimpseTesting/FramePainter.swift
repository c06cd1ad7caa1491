// SPDX-License-Identifier: Apache-2.0
import Frames
import Observations

/// Frames that own their memory, with rectangles painted into the luma.
package struct FramePainter {
    package let width: Int
    package let height: Int
    /// The number of bytes between the starts of two rows.
    package let stride: Int
    private var luma: [UInt8]
    private let released: @Sendable () -> Void

    /// - Parameters:
    ///   - padding: the number of bytes after each row.
    ///   - released: called when a frame's memory is released.
    package init(
        width: Int = 64, height: Int = 48, padding: Int = 0, background: UInt8 = 128,
        released: @escaping @Sendable () -> Void = {}
    ) {
        (self.width, self.height, stride) = (width, height, width + padding)
        luma = Array(repeating: background, count: stride * height)
        self.released = released
    }

    package mutating func fill(_ box: Box, _ value: UInt8) {
        guard let part = box.clipped(width: Float(width), height: Float(height)) else { return }
        for y in Int(part.y)..<Int(part.maxY) {
            for x in Int(part.x)..<Int(part.maxX) { luma[y * stride + x] = value }
        }
    }

    /// Sets every sample.
    package mutating func paint(_ sample: (_ x: Int, _ y: Int) -> UInt8) {
        for y in 0..<height {
            for x in 0..<width { luma[y * stride + x] = sample(x, y) }
        }
    }

    /// A frame of the current picture.
    ///
    /// - Parameter number: from 1.
    package func frame(_ number: Int, seconds: Double) -> Frame {
        let memory = OwnedMemory(luma, released: released)
        let time = Int64((seconds * 1e9).rounded())
        let info = FrameInfo(
            sequence: UInt64(number), presentationTime: time, time: Timestamp(nanoseconds: time), clock: .file,
            width: width, height: height)
        return Frame(
            info: info, format: .gray8, planes: [Plane(base: UnsafePointer(memory.base), stride: stride)],
            storage: memory)
    }
}

private final class OwnedMemory {
    let base: UnsafeMutablePointer<UInt8>
    private let released: @Sendable () -> Void

    init(_ bytes: [UInt8], released: @escaping @Sendable () -> Void) {
        base = .allocate(capacity: bytes.count)
        base.initialize(from: bytes, count: bytes.count)
        self.released = released
    }

    deinit {
        base.deallocate()
        released()
    }
}
