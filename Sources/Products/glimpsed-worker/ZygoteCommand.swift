// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import ArgumentParser
import CProcess
import GStreamerSource
import Inference

/// The command of the process that all workers of a daemon are copies of. It loads what most pipelines use. Each copy
/// goes on as `serve`.
struct ZygoteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zygote", abstract: "Copy this process for each pipeline of the daemon.", shouldDisplay: false)

    func run() throws {
        guard glimpse_die_with_parent(getppid()) == 0 else { throw ExitStatus.failed }
        GStreamerInventory.prepare()
        GStreamerInventory.loadDecoders()
        InferenceRuntime.load()
        let error = glimpse_serve_as_zygote(CommandLine.unsafeArgv[1], ServeCommand._commandName)
        guard error == 0 else {
            // The daemon is gone.
            if error == ESRCH { return }
            let isBusy = error == EBUSY
            let reason = isBusy ? "a library has opened a file or started a thread" : String(cString: strerror(error))
            say("workers cannot share memory: \(reason)")
            throw ExitStatus.failed
        }
        GStreamerInventory.update()
        try ServeCommand().run()
    }
}
