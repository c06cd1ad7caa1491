import Frames
import Observations

/// How a lane's gate works.
public struct GateConfiguration: Sendable, Equatable {
    /// The detector runs at least once in this time of the stream, in seconds. More than zero.
    public var refresh: Double

    public init(refresh: Double) { self.refresh = refresh }
}

/// Tells whether a frame shows a detector anything that the last frame it looked at did not.
///
/// The gate compares tiles of luma with that frame. A tile differs when its samples' differences exceed the stream's own noise by
/// `leastExcess` in sum. A slow change of light adds up against the frame last looked at, until it opens the gate or the detector's
/// next run takes it in. The result depends on pixels and presentation times alone, so a file gives equal lines in every run.
struct FrameGate: Sendable {
    /// Levels times samples. Four samples (16x16 pixels of 1280x720) that differ by 12 levels more than noise are as much.
    static let leastExcess = 48
    /// A difference of so many levels is noise in every stream: quantisation and the residual of codecs.
    static let leastTolerance = 4.0
    /// The noise's standard deviations that a difference must exceed.
    static let deviations = 3.0
    /// Of a normal distribution, the standard deviation divided by the median absolute deviation.
    static let deviationOfMedian = 1.4826
    /// The estimate of the noise rises by so many levels a frame at most. It falls at once, so that motion does not pass for noise.
    static let rise = 0.1
    /// More is motion all over the picture, of a camera on a robot for instance: no sensor's noise.
    static let mostNoise = 8.0

    let configuration: GateConfiguration
    private var seen = LumaGrid()
    private var current = LumaGrid()
    /// When the detector last ran, in seconds of presentation time; nil: it has not run on any frame that `seen` shows.
    private var seenAt: Double?
    /// The median absolute deviation of two frames without motion, in levels; nil: nothing was compared yet.
    private var noise: Double?

    init(_ configuration: GateConfiguration) { self.configuration = configuration }

    /// Compares a frame with the one that the detector ran on last.
    ///
    /// - Parameter region: the part of the picture that the detector sees.
    /// - Returns: whether the frame shows nothing new and the detector's last run is less than `refresh` old.
    mutating func isShut(for frame: Frame, region: NormalizedRegion) -> Bool {
        current.sample(FrameView(frame, region: region))
        guard let seenAt else { return false }
        let tolerance = max(Self.leastTolerance, Self.deviations * Self.deviationOfMedian * (noise ?? 0))
        let difference = current.difference(from: seen, tolerance: Int(tolerance.rounded(.up)))
        follow(Double(difference.noise))
        let age = frame.info.seconds - seenAt
        return difference.greatestExcess < Self.leastExcess && age >= 0
            // Half a microsecond, so that rounding does not decide which frame is the last.
            && age < configuration.refresh - 5e-7
    }

    /// The detector ran on the frame that `isShut` was asked about last.
    mutating func looked(at frame: FrameInfo) {
        swap(&seen, &current)
        seenAt = frame.seconds
    }

    /// The detector's last run says nothing about the frames to come.
    mutating func open() { seenAt = nil }

    private mutating func follow(_ measured: Double) {
        noise = min(measured, noise.map { $0 + Self.rise } ?? measured, Self.mostNoise)
    }
}
