// SPDX-License-Identifier: Apache-2.0
import Frames
import Observations

/// Decides when the picture of a source is at rest, and ends that as soon as something changes.
public struct IdleConfiguration: Sendable, Equatable {
    /// How long the picture must have been at rest, in seconds of the stream.
    public var after: Double
    /// The parts of the picture that detectors see.
    public var regions: [NormalizedRegion]

    public init(after: Double, regions: [NormalizedRegion]) {
        (self.after, self.regions) = (after, regions)
    }
}

/// Compares frames by gates of its own, because a lane sees a frame later than its source must know.
struct IdleWatch {
    /// The longest time until a frame replaces the one that later frames are compared with, in seconds: a slow change
    /// of light is none.
    private static let refresh = 1.0

    private let configuration: IdleConfiguration
    private var gates: [FrameGate]
    private var changedAt: Double?

    init(_ configuration: IdleConfiguration) {
        self.configuration = configuration
        gates = configuration.regions.map { _ in FrameGate(GateConfiguration(refresh: Self.refresh)) }
    }

    /// Compares a frame with those before it.
    ///
    /// - Returns: whether it shows a change.
    mutating func showsChange(_ frame: Frame) -> Bool {
        var isChanged = false
        for (index, region) in configuration.regions.enumerated() {
            switch gates[index].opening(for: frame, region: region) {
            case .change, .reset, .track:
                isChanged = true
                gates[index].looked(at: frame.info)
            case .refresh: gates[index].looked(at: frame.info)
            case nil: break
            }
        }
        if isChanged || changedAt == nil { changedAt = frame.info.seconds }
        return isChanged
    }

    /// Whether nothing has changed for `after`.
    func isAtRest(at frame: FrameInfo) -> Bool { changedAt.map { frame.seconds - $0 >= configuration.after } ?? false }
}

/// Tells a source when it may idle, and answers its key frames. Used by the thread that reads the source.
struct SourceWatch {
    private let source: any SourceIdling
    private var watch: IdleWatch
    private(set) var isIdle = false
    private var arrived: UInt64 = 0
    private var saidObstacle: String?

    init(_ source: any SourceIdling, _ configuration: IdleConfiguration) {
        self.source = source
        watch = IdleWatch(configuration)
    }

    /// Takes note of a frame.
    ///
    /// - Parameter isSettled: whether no detector waits for frames.
    /// - Returns: false if the frame comes again later.
    mutating func admits(_ frame: Frame, isSettled: Bool) -> Bool {
        let isChanged = watch.showsChange(frame)
        switch frame.role {
        case .glance:
            source.answer(isChanged: isChanged)
            if !isChanged { isIdle = true }
            if isChanged { source.mayIdle(false) }
            return !isChanged
        case .sample:
            isIdle = !isChanged
            source.mayIdle(isSettled && !isChanged)
            return true
        case .ordinary, .past, .again:
            isIdle = false
            source.mayIdle(isSettled && watch.isAtRest(at: frame.info))
            return true
        }
    }

    /// Ends the idling if a detector waits for frames.
    func check(isSettled: Bool) {
        if isIdle, !isSettled { source.mayIdle(false) }
    }

    /// Whether encoded frames have arrived since the last call.
    mutating func takeArrivals() -> Bool {
        defer { arrived = source.arrived }
        return source.arrived != arrived
    }

    /// Why the source does not idle; nil if the last call that gave a reason gave this one.
    mutating func takeObstacle() -> String? {
        guard let obstacle = source.obstacle, obstacle != saidObstacle else { return nil }
        saidObstacle = obstacle
        return obstacle
    }
}
