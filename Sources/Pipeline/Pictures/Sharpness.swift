// SPDX-License-Identifier: Apache-2.0
import Frames

/// Measures the sharpness of a part of a picture.
package enum Sharpness {
    /// The highest number of luma samples along a side.
    static let samples = 64
    /// The variance at which `ratio` is one half. Measured on the test films: sharp objects have 300 to 3000, moving
    /// ones less than 100.
    static let half: Float = 150

    /// The variance of the Laplacian of the luma at its own resolution. Source: Pech-Pacheco et al., "Diatom
    /// autofocusing in brightfield microscopy", ICPR 2000.
    ///
    /// It is sampled on a grid of at most 64 x 64 points, so that the cost does not depend on the size. Regions smaller
    /// than 3 x 3 give 0.
    package static func laplacianVariance(of view: FrameView) -> Float {
        guard view.width >= 3, view.height >= 3 else { return 0 }
        let luma = view.planes[0]
        let (columns, rows) = (min(samples, view.width - 2), min(samples, view.height - 2))
        var (sum, squares) = (0, 0)
        view.frame.withPlanes { _ in
            for row in 0..<rows {
                let y = 1 + row * (view.height - 2) / rows
                let line = luma.base + y * luma.stride
                for column in 0..<columns {
                    let place = line + (1 + column * (view.width - 2) / columns)
                    let around =
                        Int(place[-1]) + Int(place[1]) + Int(place[-luma.stride]) + Int(place[luma.stride])
                    let value = around - 4 * Int(place[0])
                    sum += value
                    squares += value * value
                }
            }
        }
        let count = Double(columns * rows)
        let mean = Double(sum) / count
        return Float(Double(squares) / count - mean * mean)
    }

    /// Maps the variance to 0...1; the result is always less than 1.
    package static func ratio(_ variance: Float) -> Float { variance / (variance + half) }
}
