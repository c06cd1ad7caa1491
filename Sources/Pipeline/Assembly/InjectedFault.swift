#if canImport(Glibc)
    import Glibc
#endif
import Detectors
import Frames
import Observations
import Pipelines

/// A fault that a test asks for: a detector that goes wrong at some frame, in a way that no throw and no catch can mend.
package struct InjectedFault: Sendable, Equatable {
    /// Environment variable of the worker: `KIND:DETECTOR:FRAME`.
    package static let variable = "GLIMPSED_FAULT"

    package enum Kind: String, Sendable, CaseIterable {
        /// Never comes back.
        case loop
        case abort
        /// Writes where nothing is.
        case segv
        /// Stops the whole process.
        case stop
        /// Takes 16 MiB more at every frame from there on.
        case leak
    }

    package var kind: Kind
    package var detector: String
    /// The frame's number in its epoch, or the first one after it that the detector gets.
    package var frame: UInt64

    /// - Parameter text: the variable's; nil or anything else that is no fault gives nil.
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
    var withheld: [Explanation.Untracked] { real.withheld }

    func detect(in frame: Frame) throws(DetectorError) -> [Detection] {
        if frame.info.sequence >= fault.frame { fault.strike() }
        return try real.detect(in: frame)
    }
}
