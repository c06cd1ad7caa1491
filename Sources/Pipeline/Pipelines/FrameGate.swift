// SPDX-License-Identifier: Apache-2.0
import Frames
import Observations

/// The settings of a lane's gate.
public struct GateConfiguration: Sendable, Equatable {
    /// The longest time between two runs of the detector, in seconds of the stream; greater than 0.
    public var refresh: Double

    public init(refresh: Double) { self.refresh = refresh }
}

/// Decides whether a frame shows changes since the frame that the detector last processed.
///
/// The gate compares tiles of luma in the two frames. A tile has changed if its samples' differences exceed the
/// stream's own noise by at least `leastExcess` in total. A slow change of light accumulates until it opens the gate or
/// the detector runs again.
///
/// The result depends only on pixels and presentation times, so a file gives equal lines in every run.
struct FrameGate: Sendable {
    /// The unit is levels times samples. Four samples (16x16 pixels of 1280x720) whose differences exceed the noise by
    /// 12 levels reach the limit.
    static let leastExcess = 48
    /// Differences up to this number of levels are noise in every stream: quantization, and the residual of codecs.
    static let leastTolerance = 4.0
    /// The factor on the noise's standard deviation that a difference must exceed.
    static let deviations = 3.0
    /// The standard deviation of a normal distribution divided by its median absolute deviation.
    static let deviationOfMedian = 1.4826
    /// The highest increase of the noise estimate per frame, in levels. A decrease has no limit, so motion does not
    /// count as noise.
    static let rise = 0.1
    /// The highest noise of a sensor. Larger differences are motion of the whole picture, for example from a camera on
    /// a robot.
    static let mostNoise = 8.0

    let configuration: GateConfiguration
    private var seen = LumaGrid()
    private var current = LumaGrid()
    /// The presentation time of the detector's last run in seconds; nil if the detector has not run on a frame in
    /// `seen`.
    private var seenAt: Double?
    /// The presentation time in seconds of the last frame that opened the gate, other than by `refresh`.
    private var openedAt = 0.0
    /// The median absolute deviation between two frames without motion, in levels; nil before the first comparison.
    private var noise: Double?

    init(_ configuration: GateConfiguration) { self.configuration = configuration }

    /// Compares a frame with the frame of the detector's last run.
    ///
    /// - Parameter region: the part of the picture that the detector sees.
    /// - Returns: why the detector must run on the frame. nil if the frame shows no change and the detector's last run
    ///   is less than `refresh` old.
    mutating func opening(for frame: Frame, region: NormalizedRegion) -> GateOpening.Cause? {
        let cause = cause(for: frame, region: region)
        switch cause {
        case .change, .track, .reset: openedAt = frame.info.seconds
        case .refresh, nil: break
        }
        return cause
    }

    /// Whether the picture has been at rest for at least `refresh` at a frame.
    func isAtRest(at frame: FrameInfo) -> Bool { frame.seconds - openedAt >= configuration.refresh }

    private mutating func cause(for frame: Frame, region: NormalizedRegion) -> GateOpening.Cause? {
        current.sample(FrameView(frame, region: region))
        guard let seenAt else { return .reset }
        let tolerance = max(Self.leastTolerance, Self.deviations * Self.deviationOfMedian * (noise ?? 0))
        let difference = current.difference(from: seen, tolerance: Int(tolerance.rounded(.up)))
        follow(Double(difference.noise))
        let age = frame.info.seconds - seenAt
        guard let tile = difference.tile, age >= 0 else { return .reset }
        if difference.greatestExcess >= Self.leastExcess {
            return .change(
                box: current.box(of: tile), excess: difference.greatestExcess, limit: Self.leastExcess)
        }
        // Half a microsecond of tolerance, so that rounding does not decide which frame is the last.
        return age < configuration.refresh - 5e-7 ? nil : .refresh(limit: configuration.refresh)
    }

    /// Records that the detector ran on the frame of the last call of `opening`.
    mutating func looked(at frame: FrameInfo) {
        swap(&seen, &current)
        seenAt = frame.seconds
    }

    /// Opens the gate, because the detector's last run does not apply to later frames.
    mutating func open() { seenAt = nil }

    private mutating func follow(_ measured: Double) {
        noise = min(measured, noise.map { $0 + Self.rise } ?? measured, Self.mostNoise)
    }
}
