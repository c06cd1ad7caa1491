// SPDX-License-Identifier: Apache-2.0
import Observations

extension FrameView {
    /// Rows and columns of samples at most: a region of any size costs the same.
    static let qualitySamples = 96
    /// Pixels between the farther of the samples that are compared; see `PictureQuality.sharpness`.
    static let qualityStep = 8

    /// The quality of the luma in this part of the picture, sampled on a grid. nil for a region too small to say
    /// anything: less than 16 pixels a side.
    public func measuredQuality() -> PictureQuality? {
        let step = Self.qualityStep
        guard width >= 2 * step, height >= 2 * step else { return nil }
        return frame.withPlanes { _ in
            let plane = frame.luma.offset(x: x, y: y)
            let (columns, rows) = (min(Self.qualitySamples, width - step), min(Self.qualitySamples, height - step))
            var (sum, squares, near, far) = (0, 0, 0, 0)
            for row in 0..<rows {
                let line = plane.base + row * (height - step) / rows * plane.stride
                for column in 0..<columns {
                    let sample = line + column * (width - step) / columns
                    let value = Int(sample[0])
                    sum += value
                    squares += value * value
                    let (right, below) = (Int(sample[1]) - value, Int(sample[plane.stride]) - value)
                    let (farRight, farBelow) = (Int(sample[step]) - value, Int(sample[step * plane.stride]) - value)
                    near += right * right + below * below
                    far += farRight * farRight + farBelow * farBelow
                }
            }
            let count = Double(columns * rows)
            let (mean, black, span): (Double, Double, Double) =
                frame.colour.range == .limited
                ? (Double(sum) / count, 16, 219) : (Double(sum) / count, 0, 255)
            let variance = max(0, Double(squares) / count - mean * mean)
            return PictureQuality(
                brightness: Float(min(1, max(0, (mean - black) / span))),
                contrast: Float(min(0.5, variance.squareRoot() / span)),
                sharpness: far > 0 ? Float(min(1, Double(near) / Double(far))) : 0)
        }
    }
}

extension FrameView {
    /// The part of a frame that a box in its pixels covers.
    public init(_ frame: Frame, box: Box) {
        let whole = FrameView(frame)
        let (left, top) = (Int(box.x.rounded(.down)), Int(box.y.rounded(.down)))
        self = whole.part(
            x: left, y: top, width: Int(box.maxX.rounded(.up)) - left, height: Int(box.maxY.rounded(.up)) - top)
    }
}
