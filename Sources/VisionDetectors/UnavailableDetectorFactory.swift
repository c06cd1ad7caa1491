import Detectors
import Observations

/// A detector that this build cannot make: it is reported as not operational, and the others run.
package struct UnavailableDetectorFactory: DetectorFactory {
    package let name: String
    package let kind: FeatureKind
    private let reason: String

    package init(name: String, kind: FeatureKind, reason: String) {
        self.name = name
        self.kind = kind
        self.reason = reason
    }

    package func makeDetector() throws(DetectorError) -> LoadedDetector {
        throw DetectorError(reason)
    }
}
