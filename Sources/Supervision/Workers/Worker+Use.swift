// SPDX-License-Identifier: Apache-2.0

extension Worker {
    /// The time in which a worker changes most of what it will change of inherited memory.
    private static let startSpan = Duration.seconds(10)

    /// Measures the resource use of the process.
    func measure() {
        guard let current, !current.isReaped, var use = ProcessUse(of: current.child.pid) else { return }
        let shared = sharedMemory(of: current)
        use.memory = max(0, use.memory - shared)
        self.current?.use = use
        if let excess = resourceControl.resources.excess(use) { perform(machine.misbehaved(excess)) }
    }

    /// The memory that a process shares with its zygote: what it inherited, and after its start what is left of that.
    private func sharedMemory(of process: Process) -> Int {
        guard process.child.inherited > 0 else { return 0 }
        if let shared = process.sharedMemory { return shared }
        guard ContinuousClock.now - process.since > Self.startSpan else { return process.child.inherited }
        let shared = ProcessUse.sharedMemory(of: process.child.pid) ?? process.child.inherited
        current?.sharedMemory = shared
        return shared
    }
}
