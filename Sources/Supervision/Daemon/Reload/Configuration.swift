// SPDX-License-Identifier: Apache-2.0
import EventLines
import EventLog
import Sandbox
import Settings
import Workers

/// A configuration: the daemon's own settings, and the enabled pipelines by name.
struct Configuration: Sendable, Equatable {
    var daemon: DaemonSettings
    var pipelines: [String: PipelineFile]

    init(daemon: DaemonSettings, pipelines: [String: PipelineFile]) {
        self.daemon = daemon
        self.pipelines = pipelines
    }

    /// - Throws: `DaemonError.configuration` with every error.
    init(_ check: ConfigurationCheck) throws(DaemonError) {
        guard check.problems.isEmpty else { throw .configuration(check.problems) }
        daemon = check.daemon
        pipelines = [:]
        for file in check.files where file.settings.enabled { pipelines[file.settings.name] = file }
    }

    /// The start parameters of a pipeline's worker; nil for an unknown pipeline.
    func worker(_ name: String) -> WorkerPipeline? {
        guard let file = pipelines[name] else { return nil }
        let settings = file.settings
        return WorkerPipeline(
            identity: PipelineIdentity(name: settings.name, tags: settings.tags),
            places: PipelinePlaces(zones: settings.zones.map(\.name), lines: settings.lines.map(\.name)),
            file: settings.file ?? "",
            text: file.text, modelsDirectory: daemon.daemon.modelsDirectory,
            detectors: settings.runningDetectors.map(\.name),
            kinds: FeatureKinds(
                detectors: settings.runningDetectors.map(\.kind),
                zones: settings.zones.map { ($0.name, $0.kinds) }, lines: settings.lines.map { ($0.name, $0.kinds) }),
            sourceSilence: settings.source.stallLimit * 2,
            crashFolder: crashFolder, picturesFolder: snapshotsFolder.map { "\($0)/\(settings.name)" },
            pictureAge: UInt64(daemon.retention.pictures.age.components.seconds),
            pictureBytes: UInt64(daemon.retention.pictures.size),
            clipsFolder: settings.clip == nil ? nil : clipsFolder.map { "\($0)/\(settings.name)" },
            clipAge: UInt64(daemon.retention.clips.age.components.seconds),
            clipBytes: UInt64(daemon.retention.clips.size), onDemand: settings.source.onDemand,
            hasSearch: settings.search?.enabled == true,
            isRestricted: daemon.workers.sandbox == .auto,
            writable: [snapshotsFolder, settings.clip == nil ? nil : clipsFolder].compactMap(\.self))
    }

    /// The folder for the last frames before crashes; nil if none are kept.
    var crashFolder: String? {
        daemon.workers.crashDump && !daemon.daemon.noImages ? "\(daemon.daemon.stateDirectory)/crashes" : nil
    }

    /// The sandbox that this kernel supports; nil if the sandbox is disabled.
    var sandbox: SandboxSupport? { daemon.workers.sandbox == .auto ? .ofThisKernel : nil }

    /// The folder for pictures, with a subfolder per pipeline; nil if no picture may leave a worker.
    var snapshotsFolder: String? {
        daemon.daemon.noImages ? nil : "\(daemon.daemon.stateDirectory)/snapshots"
    }

    /// The folder for clips, with a subfolder per pipeline; nil if no picture may leave a worker.
    var clipsFolder: String? {
        daemon.daemon.noImages ? nil : "\(daemon.daemon.stateDirectory)/clips"
    }

    /// Whether any pipeline keeps pictures automatically.
    var keepsPictures: Bool {
        snapshotsFolder != nil && pipelines.values.contains { $0.settings.keepsPictures }
    }

    /// The device files of the pipelines with a camera device.
    var devices: [(pipeline: String, path: String)] {
        pipelines.keys.sorted().compactMap { name in
            if case .v4l2(let device) = pipelines[name]?.settings.source.kind { (name, device) } else { nil }
        }
    }

    var workers: [WorkerPipeline] { pipelines.keys.sorted().compactMap(worker) }
}
