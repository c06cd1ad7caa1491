import Glibc
import Logging

/// How much of the machine the workers may take: niceness and control groups. Lives on one event loop.
final class WorkerResourceControl {
    /// May change at any time; what a process is started with stays as it is.
    var resources: WorkerResources {
        didSet { openGroups() }
    }
    private let logger: Logger
    private var groups: ControlGroups?

    init(_ resources: WorkerResources, logger: Logger) {
        self.resources = resources
        self.logger = logger
        openGroups()
    }

    /// A worker has just started.
    func take(_ process: pid_t, of pipeline: String, _ logger: Logger) {
        if let groups, wantsGroups {
            do throws(ControlGroups.Unavailable) {
                return try groups.enter(process, pipeline: pipeline, resources)
            } catch {
                logger.warning("the worker has no control group: \(error)")
            }
        }
        if let problem = ChildProcess.makeNicer(process, by: resources.nice) {
            logger.warning("workers.nice has no effect: \(problem)")
        }
    }

    func release(_ pipeline: String) { groups?.leave(pipeline: pipeline) }

    private var needsGroups: Bool { resources.cpuWeight != nil || resources.cpuLimit != nil }
    /// For `nice` too: systemd's filter for the service has no `setpriority`, but gives it a group to divide.
    private var wantsGroups: Bool { needsGroups || resources.nice > 0 }

    private func openGroups() {
        guard wantsGroups, groups == nil else { return }
        do throws(ControlGroups.Unavailable) {
            groups = try ControlGroups()
        } catch {
            guard needsGroups else { return }
            logger.warning(
                "workers.cpu_weight and cpu_limit have no effect: there is no control group to divide: \(error)")
        }
    }
}
