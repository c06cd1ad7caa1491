import CSandbox

/// What a kernel can withhold from a worker.
package struct SandboxSupport: Sendable, Equatable {
    /// Version of Landlock, which withholds files; 0: there is none. From 6 on it withholds signals to others too.
    package var landlock: Int
    /// Whether system calls and sockets can be withheld.
    package var filters: Bool

    package init(landlock: Int, filters: Bool) {
        self.landlock = landlock
        self.filters = filters
    }

    package static var ofThisKernel: SandboxSupport {
        SandboxSupport(landlock: Int(glimpse_landlock_version()), filters: glimpse_has_seccomp() != 0)
    }

    /// What workers can do for want of it, a line for people each; empty when nothing is missing.
    package var missing: [String] {
        var lines: [String] = []
        if landlock == 0 {
            lines.append("the kernel has no Landlock: workers reach every file that the daemon's user does")
        }
        if !filters { lines.append("the kernel has no seccomp filters: workers may make every system call and socket") }
        return lines
    }
}
