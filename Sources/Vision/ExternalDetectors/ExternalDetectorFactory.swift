// SPDX-License-Identifier: Apache-2.0
import Detectors
import Frames
import Observations
import Settings

/// Starts the program of an `[external.NAME]` table.
package struct ExternalDetectorFactory: DetectorFactory {
    package let name: String
    package var kind: FeatureKind { settings.kind }
    private let settings: ExternalSettings
    private let starter: (any ProgramStarter)?

    /// - Parameter starter: nil where no program can be started.
    package init(_ settings: ExternalSettings, name: String, starter: (any ProgramStarter)?) {
        self.settings = settings
        self.name = name
        self.starter = starter
    }

    package func makeDetector() throws(DetectorError) -> LoadedDetector {
        guard let starter else { throw DetectorError("programs are started for pipelines only") }
        let detector = try ExternalDetector(settings, starter: starter)
        return LoadedDetector(detector, model: detector.model, region: settings.region)
    }
}
