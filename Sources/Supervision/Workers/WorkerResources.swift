/// What a worker may take of the machine.
package struct WorkerResources: Sendable, Equatable {
    /// Bytes of memory for itself; nil: any. One that has more is replaced.
    package var memory: Int?
    /// Threads; nil: any number. One that has more is replaced.
    package var threads: Int?
    /// What it is nicer by than the supervisor, 0...19; with a control group, what the group is, unless it has a `cpuWeight`.
    package var nice = 0
    /// Its share of processors that are short, 1...10000; nil: the usual one, 100.
    package var cpuWeight: Int?
    /// Processors whose time it may take; nil: any.
    package var cpuLimit: Double?

    package init() {}

    /// - Returns: what a worker has too much of, in words; nil when nothing.
    func excess(_ use: ProcessUse) -> String? {
        if let memory, use.memory > memory {
            return "\(use.memory >> 20) MiB of memory, and workers.memory_limit is \(memory >> 20) MiB"
        }
        if let threads, use.threads > threads {
            return "\(use.threads) threads, and workers.thread_limit is \(threads)"
        }
        return nil
    }
}
