// SPDX-License-Identifier: Apache-2.0
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
    /// Drops the rights that the pipeline does not need, before the source opens and before another thread starts. Work
    /// that the sandbox forbids is done first.
    static func restrict(
        _ configuration: WorkerConfiguration, _ settings: PipelineSettings, _ resources: ResourceFolders
    ) throws(ExitStatus) {
        GStreamerInventory.prepare()
        // The user of the cache folder reports an error of this call.
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
