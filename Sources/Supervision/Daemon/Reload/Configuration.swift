import EventLines
import Sandbox
import Settings
import Workers

/// What the daemon runs, or is to run: its own settings and the enabled pipelines by name.
struct Configuration: Sendable, Equatable {
    var daemon: DaemonSettings
    var pipelines: [String: PipelineFile]

    init(daemon: DaemonSettings, pipelines: [String: PipelineFile]) {
        self.daemon = daemon
        self.pipelines = pipelines
    }

    /// - Throws: `DaemonError.configuration` with every problem.
    init(_ check: ConfigurationCheck) throws(DaemonError) {
        guard check.problems.isEmpty else { throw .configuration(check.problems) }
        daemon = check.daemon
        pipelines = [:]
        for file in check.files where file.settings.enabled { pipelines[file.settings.name] = file }
    }

    /// What the worker of a pipeline, which there must be, is started with.
    func worker(_ name: String) -> WorkerPipeline? {
        guard let file = pipelines[name] else { return nil }
        let settings = file.settings
        return WorkerPipeline(
            identity: PipelineIdentity(name: settings.name, tags: settings.tags), file: settings.file ?? "",
            text: file.text, modelsDirectory: daemon.daemon.modelsDirectory,
            detectors: settings.runningDetectors.map(\.name), sourceSilence: settings.source.stallLimit * 2,
            crashFolder: crashFolder, picturesFolder: snapshotsFolder.map { "\($0)/\(settings.name)" },
            onDemand: settings.source.onDemand, hasSearch: settings.search?.enabled == true,
            isRestricted: daemon.workers.sandbox == .auto, writable: snapshotsFolder.map { [$0] } ?? [])
    }

    /// Where the last frames before crashes are kept; nil: they are not.
    var crashFolder: String? {
        daemon.workers.crashDump && !daemon.daemon.noImages ? "\(daemon.daemon.stateDirectory)/crashes" : nil
    }

    /// What this kernel withholds from workers; nil: nothing is to be.
    var sandbox: SandboxSupport? { daemon.workers.sandbox == .auto ? .ofThisKernel : nil }

    /// Where pictures are kept, a folder for each pipeline; nil: none may leave a worker.
    var snapshotsFolder: String? {
        daemon.daemon.noImages ? nil : "\(daemon.daemon.stateDirectory)/snapshots"
    }

    /// Whether pipelines keep pictures by themselves.
    var keepsPictures: Bool {
        snapshotsFolder != nil && pipelines.values.contains { $0.settings.keepsPictures }
    }

    /// The device file of each pipeline that has one.
    var devices: [(pipeline: String, path: String)] {
        pipelines.keys.sorted().compactMap { name in
            if case .v4l2(let device) = pipelines[name]?.settings.source.kind { (name, device) } else { nil }
        }
    }

    var workers: [WorkerPipeline] { pipelines.keys.sorted().compactMap(worker) }
}
