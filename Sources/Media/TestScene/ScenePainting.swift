// SPDX-License-Identifier: Apache-2.0
/// Paints the frames of a made-up camera.
package protocol ScenePainting: Sendable {
    /// Fills an I420 picture as it looks `seconds` after the start. Equal times give equal pictures.
    func paint(seconds: Double, size: SceneSize, into picture: UnsafeMutableBufferPointer<UInt8>)
}

/// An I420 picture's size in even pixels, and where GStreamer wants its planes.
package struct SceneSize: Sendable, Equatable {
    package let width: Int
    package let height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// GStreamer's default strides: rows of I420 start at multiples of four bytes.
    package var lumaStride: Int { (width + 3) & ~3 }
    package var chromaStride: Int { (width / 2 + 3) & ~3 }
    package var lumaBytes: Int { lumaStride * height }
    package var chromaBytes: Int { chromaStride * (height / 2) }
    package var bytes: Int { lumaBytes + 2 * chromaBytes }
}
