// SPDX-License-Identifier: Apache-2.0
import Assembly
import Detectors
import Dispatch
import Installation
import Observations
import Pipelines
import ProgramHost
import Settings

/// Runs a configured pipeline for some seconds without writing events, and reports on its source and detectors.
struct PipelineTrial {
    private static let seconds = 10

    let settings: PipelineSettings
    let resources: ResourceFolders

    /// - Parameter report: takes a mark (`ok`, `none`, `MISSING`) and a text.
    /// - Returns: whether the source gave frames and every detector is operational.
    func run(_ report: (_ mark: String, _ text: String) -> Void) -> Bool {
        var isHealthy = true
        let hosts = ProgramHost.hosts(of: settings)
        for lane in settings.lanes(models: resources.models, starters: hosts) {
            do throws(DetectorError) {
                _ = try lane.detector.makeDetector()
            } catch {
                report("MISSING", "detector \(lane.detector.name): \(error)")
                isHealthy = false
            }
        }
        let run = PipelineAssembly(settings, resources: resources, starters: hosts)
        let tracks = TrackCounts()
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.seconds)) { run.stop(.shutdown) }
        var metrics = run.metrics
        let outcome = run.run(into: tracks, complain: { _ in }) { _ in metrics = run.metrics }
        let source = "pipeline \(settings.name): \(metrics.source[.received]) frames"
        if case .failed(let error) = outcome {
            report("MISSING", "\(source); \(error)")
            return false
        }
        report("ok", source)
        for lane in metrics.lanes {
            report(tracks.count(of: lane.detector) > 0 ? "ok" : "none", tracks.summary(of: lane, in: settings))
        }
        return isHealthy
    }
}
