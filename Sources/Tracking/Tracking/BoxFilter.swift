// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import Observations

/// Motion of one box: four independent constant-velocity Kalman filters on centre x, centre y, width and height.
///
/// Times are seconds, lengths pixels. The noise is continuous and scaled by the box's size, so that the same motion
/// sampled at any rate gives the same estimate. It is ByteTrack's per-frame noise at 30 frames a second, rewritten as a
/// process.
struct BoxFilter: Sendable, Equatable {
    /// Standard deviations: of a measurement, in sizes; of acceleration, in sizes s^-3/2; of a random walk, in sizes
    /// s^-1/2.
    private static let measurementNoise = 0.05
    private static let accelerationNoise = 1.0
    private static let positionNoise = 0.27
    /// Sizes per second: what a velocity is held to, and the standard deviation of one that is not known yet. With 1
    /// instead of 3 the first steps of what moves fast are not followed; HOTA on MOT17 is the same.
    static let fastest = 10.0
    private static let firstVelocity = 3.0

    private(set) var centerX: Axis
    private(set) var centerY: Axis
    private(set) var width: Axis
    private(set) var height: Axis

    init(_ box: Box) {
        let size = Self.size(box)
        func axis(_ position: Float, extent: Float) -> Axis {
            Axis(position: Double(position), size: size, noise: Self.noise(extent: extent, size: size))
        }
        centerX = axis(box.center.x, extent: box.width)
        centerY = axis(box.center.y, extent: box.height)
        width = axis(box.width, extent: box.width)
        height = axis(box.height, extent: box.height)
    }

    var box: Box {
        let (w, h) = (max(1, width.position), max(1, height.position))
        return Box(
            x: Float(centerX.position - w / 2), y: Float(centerY.position - h / 2), width: Float(w), height: Float(h))
    }

    /// Pixels per second of the picture itself, which comes as shifts and is no part of the prediction.
    var drift = Point(x: 0, y: 0)

    /// Pixels per second of the centre in the picture.
    var velocity: Point { Point(x: Float(centerX.velocity) + drift.x, y: Float(centerY.velocity) + drift.y) }

    /// Geometric mean of width and height.
    var size: Double { (max(1, width.position) * max(1, height.position)).squareRoot() }

    /// How uncertain the centre is beyond a measurement's own noise, in pixels, along x and y.
    var uncertainty: (x: Double, y: Double) {
        let floor = Self.measurementNoise * size
        return (max(0, centerX.deviation - floor), max(0, centerY.deviation - floor))
    }

    mutating func predict(by step: Double) {
        let size = size
        centerX.predict(by: step, size: size)
        centerY.predict(by: step, size: size)
        width.predict(by: step, size: size)
        height.predict(by: step, size: size)
    }

    /// The picture moved by `offset` under the box.
    mutating func shift(by offset: Point) {
        centerX.position += Double(offset.x)
        centerY.position += Double(offset.y)
    }

    mutating func correct(_ box: Box) {
        let size = size
        let (noiseX, noiseY) = (Self.noise(extent: box.width, size: size), Self.noise(extent: box.height, size: size))
        centerX.correct(Double(box.center.x), noise: noiseX)
        centerY.correct(Double(box.center.y), noise: noiseY)
        width.correct(Double(box.width), noise: noiseX)
        height.correct(Double(box.height), noise: noiseY)
        let limit = Self.fastest * self.size
        centerX.limitVelocity(limit)
        centerY.limitVelocity(limit)
        width.limitVelocity(limit)
        height.limitVelocity(limit)
    }

    /// The motion of an unseen box: its size holds, its velocity decays by `exp(-step / decay)`.
    mutating func coast(step: Double, decay: Double?) {
        width.velocity = 0
        height.velocity = 0
        guard let decay else { return }
        centerX.velocity *= exp(-step / decay)
        centerY.velocity *= exp(-step / decay)
    }

    private static func size(_ box: Box) -> Double { Double(box.width * box.height).squareRoot() }

    private static func noise(extent: Float, size: Double) -> Double {
        measurementVariance(size: max(Double(extent), size))
    }

    /// The variance of one coordinate of a box of `size` pixels, in pixels squared.
    static func measurementVariance(size: Double) -> Double {
        let deviation = measurementNoise * size
        return deviation * deviation
    }

    /// Position and velocity with their 2x2 covariance.
    struct Axis: Sendable, Equatable {
        var position: Double
        var velocity = 0.0
        private(set) var positionVariance: Double
        private(set) var covariance = 0.0
        private(set) var velocityVariance: Double

        init(position: Double, size: Double, noise: Double) {
            self.position = position
            positionVariance = noise
            velocityVariance = (firstVelocity * size) * (firstVelocity * size)
        }

        var deviation: Double { positionVariance.squareRoot() }

        mutating func predict(by step: Double, size: Double) {
            let acceleration = (accelerationNoise * size) * (accelerationNoise * size)
            let walk = (BoxFilter.positionNoise * size) * (BoxFilter.positionNoise * size)
            position += velocity * step
            positionVariance +=
                2 * step * covariance + step * step * velocityVariance + acceleration * step * step * step / 3
                + walk * step
            covariance += step * velocityVariance + acceleration * step * step / 2
            velocityVariance += acceleration * step
        }

        mutating func correct(_ measured: Double, noise: Double) {
            let total = positionVariance + noise
            let (gain, velocityGain) = (positionVariance / total, covariance / total)
            let innovation = measured - position
            position += gain * innovation
            velocity += velocityGain * innovation
            velocityVariance -= velocityGain * covariance
            covariance *= 1 - gain
            positionVariance *= 1 - gain
        }

        /// The next measurement, `step` seconds after the last one.
        mutating func follow(_ measured: Double, step: Double, size: Double, noise: Double) {
            predict(by: step, size: size)
            correct(measured, noise: noise)
            limitVelocity(BoxFilter.fastest * size)
        }

        mutating func limitVelocity(_ limit: Double) {
            velocity = min(max(velocity, -limit), limit)
        }
    }
}
