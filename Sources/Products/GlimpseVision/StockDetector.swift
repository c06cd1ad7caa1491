// SPDX-License-Identifier: Apache-2.0
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

    /// - Throws: if the detector cannot work on this machine, or if an option is out of range.
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
    /// A detector with the tracking rules that the daemon gives it.
    init(stock configured: ConfiguredDetector) {
        self.init(detector: StockDetector(configured), plan: configured.plan)
    }
}

extension ConfigurationError {
    /// The text without the name of a file or a table, because a program has neither.
    var inProgram: String { [problem, suggestion].compactMap(\.self).joined(separator: "; ") }
}
