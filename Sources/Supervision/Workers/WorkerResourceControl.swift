// SPDX-License-Identifier: Apache-2.0
import Glibc
import Logging

/// Applies the workers' shares of the machine: niceness and control groups. It belongs to one event loop.
final class WorkerResourceControl {
    /// May change at any time; a running process keeps the values with which it was started.
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

    /// Applies the resources to a newly started worker.
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
    /// Also for `nice`: systemd's filter for the service forbids `setpriority`, but the service has a delegated group.
    private var wantsGroups: Bool { needsGroups || resources.nice > 0 }

    private func openGroups() {
        guard wantsGroups, groups == nil else { return }
        do throws(ControlGroups.Unavailable) {
            groups = try ControlGroups()
        } catch {
            guard needsGroups else { return }
            logger.warning(
                "workers.cpu_weight and cpu_limit have no effect: no control group is available: \(error)")
        }
    }
}
