// SPDX-License-Identifier: Apache-2.0
import CSandbox

/// The restrictions that a kernel supports.
package struct SandboxSupport: Sendable, Equatable {
    /// The version of Landlock, which restricts access to files; 0 if absent. From version 6 on it also restricts
    /// signals to other processes.
    package var landlock: Int
    /// Whether system calls and sockets can be restricted.
    package var filters: Bool

    package init(landlock: Int, filters: Bool) {
        self.landlock = landlock
        self.filters = filters
    }

    package static var ofThisKernel: SandboxSupport {
        SandboxSupport(landlock: Int(glimpse_landlock_version()), filters: glimpse_has_seccomp() != 0)
    }

    /// The missing restrictions, one line for people each; empty if the kernel supports all of them.
    package var missing: [String] {
        var lines: [String] = []
        if landlock == 0 {
            lines.append("the kernel has no Landlock: workers can access every file of the daemon's user")
        }
        if !filters {
            lines.append("the kernel has no seccomp filters: workers can use every system call and socket type")
        }
        return lines
    }
}
