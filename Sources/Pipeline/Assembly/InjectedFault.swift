// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import Detectors
import Frames
import Observations
import Pipelines

/// A fault that a test requests: a detector fails at a given frame in a way that no error handling can repair.
package struct InjectedFault: Sendable, Equatable {
    /// The environment variable of the worker: `KIND:DETECTOR:FRAME`.
    package static let variable = "GLIMPSED_FAULT"

    package enum Kind: String, Sendable, CaseIterable {
        /// Loops for ever.
        case loop
        case abort
        /// Writes to an unmapped address.
        case segv
        /// Stops the whole process.
        case stop
        /// Allocates 16 MiB more at every frame from then on.
        case leak
    }

    package var kind: Kind
    package var detector: String
    /// The number of the frame in its epoch. The fault occurs at this frame or the first later one that the detector
    /// receives.
    package var frame: UInt64

    /// - Parameter text: the value of the variable; nil and invalid texts give nil.
    package init?(_ text: String?) {
        let parts = text?.split(separator: ":") ?? []
        guard parts.count == 3, let kind = Kind(rawValue: String(parts[0])), let frame = UInt64(parts[2]) else {
            return nil
        }
        (self.kind, detector, self.frame) = (kind, String(parts[1]), frame)
    }

    package static var ofThisProcess: InjectedFault? {
        InjectedFault(getenv(variable).map { String(cString: $0) })
    }

    func inserted(into lane: LaneConfiguration) -> LaneConfiguration {
        guard lane.detector.name == detector else { return lane }
        var lane = lane
        lane.detector = FaultyDetectorFactory(fault: self, real: lane.detector)
        return lane
    }

    fileprivate func strike() {
        switch kind {
        case .loop: while true { usleep(1000) }
        case .abort: Glibc.abort()
        case .segv: UnsafeMutablePointer<UInt8>(bitPattern: 8)?.pointee = 1
        case .stop: _ = kill(getpid(), SIGSTOP)
        case .leak: memset(malloc(16 << 20), 1, 16 << 20)
        }
    }
}

private struct FaultyDetectorFactory: DetectorFactory {
    let fault: InjectedFault
    let real: any DetectorFactory

    var name: String { real.name }
    var kind: FeatureKind { real.kind }

    func makeDetector() throws(DetectorError) -> LoadedDetector {
        var loaded = try real.makeDetector()
        loaded.detector = FaultyDetector(fault: fault, real: loaded.detector)
        return loaded
    }
}

private final class FaultyDetector: Detector {
    private let fault: InjectedFault
    private let real: any Detector

    init(fault: InjectedFault, real: any Detector) {
        self.fault = fault
        self.real = real
    }

    var isOperational: Bool { real.isOperational }

    func setFocus(_ box: Box?) { real.setFocus(box) }
    func expect(_ hints: () -> [TrackHint]) { real.expect(hints) }
    func pass(_ frame: FrameInfo) { real.pass(frame) }
    func rest() { real.rest() }
    var withheld: [Explanation.Untracked] { real.withheld }
    var unreported: [Box] { real.unreported }

    func detect(in frame: Frame) throws(DetectorError) -> [Detection] {
        if frame.info.sequence >= fault.frame { fault.strike() }
        return try real.detect(in: frame)
    }
}
