// SPDX-License-Identifier: Apache-2.0
/// The limits and shares of a worker's resources.
package struct WorkerResources: Sendable, Equatable {
    /// The highest private memory in bytes; nil for no limit. A worker above the limit is replaced.
    package var memory: Int?
    /// The highest number of threads; nil for no limit. A worker above the limit is replaced.
    package var threads: Int?
    /// The niceness above the supervisor's, 0...19. With a control group it applies to the group, unless `cpuWeight` is
    /// set.
    package var nice = 0
    /// The weight of the worker when processors are scarce, 1...10000; nil for the default, 100.
    package var cpuWeight: Int?
    /// The number of processors whose time the worker may use; nil for no limit.
    package var cpuLimit: Double?

    package init() {}

    /// - Returns: a description of the exceeded limit; nil if no limit is exceeded.
    func excess(_ use: ProcessUse) -> String? {
        if let memory, use.memory > memory {
            return "\(use.memory >> 20) MiB of memory, over workers.memory_limit = \(memory >> 20) MiB"
        }
        if let threads, use.threads > threads {
            return "\(use.threads) threads, over workers.thread_limit = \(threads)"
        }
        return nil
    }
}
