import Assembly
import Detectors
import Installation
import LaneSettings
import Pipelines
import Settings

/// One of the daemon's own detectors with its options.
struct StockDetector: DetectorFactory {
    let configured: ConfiguredDetector

    var name: String { configured.name }
    var kind: FeatureKind { configured.kind }

    init(_ configured: ConfiguredDetector) { self.configured = configured }

    /// - Throws: for options out of range too.
    func makeDetector() throws(DetectorError) -> LoadedDetector {
        do throws(ConfigurationErrors) {
            try configured.table.validate()
        } catch {
            throw DetectorError(error.errors.map { $0.inProgram }.joined(separator: "; "))
        }
        return try configured.factory(configured.plan, models: ResourceFolders.ofThisProgram.models).makeDetector()
    }
}

extension LaneConfiguration {
    /// The detector with the tracking that the daemon gives it.
    init(stock configured: ConfiguredDetector) {
        self.init(detector: StockDetector(configured), plan: configured.plan)
    }
}

extension ConfigurationError {
    /// Without the name of a file or a table, which a program has not.
    var inProgram: String { [problem, suggestion].compactMap(\.self).joined(separator: "; ") }
}
