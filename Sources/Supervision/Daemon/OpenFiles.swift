// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The limit on open descriptors. The daemon needs one per subscriber and three per worker.
enum OpenFiles {
    private static let wanted: rlim_t = 65_536

    /// Raises the soft limit as far as the hard limit allows. The usual soft limit of 1024 exists for programs that use
    /// select(2).
    static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        let target = min(limit.rlim_max, wanted)
        guard limit.rlim_cur < target else { return }
        limit.rlim_cur = target
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
