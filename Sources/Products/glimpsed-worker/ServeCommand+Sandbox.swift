#if canImport(Glibc)
    import Glibc
#endif
import FoundationEssentials
import GStreamerSource
import Installation
import Sandbox
import Settings
import WorkerChannel

extension ServeCommand {
    /// Gives up what the pipeline does not need, before its source is opened and another thread starts. What cannot be done from then on
    /// is done before.
    static func restrict(
        _ configuration: WorkerConfiguration, _ settings: PipelineSettings, _ resources: ResourceFolders
    ) throws(ExitStatus) {
        GStreamerInventory.prepare()
        // What is wrong with it is said by whoever uses it.
        if let cache = resources.cacheFolder {
            try? FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
        }
        var writable = configuration.writable
        if !configuration.crashFile.isEmpty {
            let file = open(configuration.crashFile, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            if file >= 0 { close(file) }
            writable.append(configuration.crashFile)
        }
        do throws(SandboxError) {
            try Sandbox(settings, resources: resources, writable: writable).enter()
        } catch {
            say(error.description)
            throw .failed
        }
    }
}
