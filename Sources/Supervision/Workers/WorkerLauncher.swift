// SPDX-License-Identifier: Apache-2.0
import CProcess
import Glibc
import Logging

/// Starts the worker program. Workers are copies of one process, the zygote, which has loaded the libraries. So all
/// workers share the memory that the loader and the libraries write at their start.
///
/// While there is no zygote, each worker loads the libraries for itself. It belongs to one event loop.
package final class WorkerLauncher {
    private enum State {
        case none
        case loading(glimpse_zygote, until: ContinuousClock.Instant)
        case ready(glimpse_zygote, memory: Int)
    }

    /// The longest time in which a zygote loads the libraries. It takes 0.1 s if they are in memory, and seconds from a
    /// slow card.
    private static let loadingLimit = Duration.seconds(15)

    private let executable: String
    private let logger: Logger
    private var state = State.none

    /// - Parameter executable: the path of the worker program from `WorkerExecutable.find`.
    package init(executable: String, logger: Logger) {
        self.executable = executable
        self.logger = logger
    }

    /// Starts a zygote, which loads the libraries. Does not wait for it.
    package func load() {
        var zygote = glimpse_zygote()
        let code = ChildProcess.withArguments(executable, ["zygote"]) { glimpse_spawn_zygote(executable, $0, &zygote) }
        // Without a process here, the first worker reports the reason.
        if code == 0 { state = .loading(zygote, until: .now + Self.loadingLimit) }
    }

    /// Whether a zygote loads its libraries. Takes note of one that is ready or has ended.
    package func isLoading() -> Bool {
        guard case .loading(let zygote, let limit) = state else { return false }
        switch withUnsafePointer(to: zygote, glimpse_zygote_state) {
        case 0 where .now < limit: return true
        case 1: state = .ready(zygote, memory: ProcessUse(of: zygote.pid)?.memory ?? 0)
        default: giveUp(zygote, "it did not load its libraries")
        }
        return false
    }

    /// Replaces a zygote that has ended. To be called from time to time.
    func check() {
        guard !isLoading(), case .ready(let zygote, _) = state,
            withUnsafePointer(to: zygote, glimpse_zygote_state) < 0
        else { return }
        giveUp(zygote, "it has ended")
        load()
    }

    /// Starts a worker. It may wait some milliseconds for the zygote.
    ///
    /// - Throws: `WorkersError`.
    func launch() throws(WorkersError) -> ChildProcess {
        if case .ready(let zygote, let memory) = state {
            var child = glimpse_child()
            let code = withUnsafePointer(to: zygote) { glimpse_copy_zygote($0, &child) }
            if code == 0 { return ChildProcess(child, inherited: memory) }
            giveUp(zygote, String(cString: strerror(code)))
            load()
        }
        return try ChildProcess.spawn(executable, arguments: ["serve"])
    }

    /// Ends the zygote; running workers stay.
    func close() {
        switch state {
        case .loading(let zygote, _), .ready(let zygote, _): withUnsafePointer(to: zygote, glimpse_end_zygote)
        case .none: break
        }
        state = .none
    }

    private func giveUp(_ zygote: glimpse_zygote, _ reason: String) {
        withUnsafePointer(to: zygote, glimpse_end_zygote)
        logger.warning("the zygote of the workers is gone: \(reason); workers may share less memory")
        state = .none
    }
}
