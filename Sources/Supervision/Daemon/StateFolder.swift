// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Folders below `state_dir`.
enum StateFolder {
    /// Creates a folder and its parents.
    ///
    /// - Parameter mode: the mode of the last folder.
    /// - Returns: a description of the error; nil if the folder exists.
    static func make(_ path: String, mode: mode_t) -> String? {
        var end = path.startIndex
        while end < path.endIndex {
            end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
            let isLast = end == path.endIndex
            if mkdir(String(path[..<end]), isLast ? mode : 0o755) != 0, errno != EEXIST, isLast {
                return "\(path): \(String(cString: strerror(errno)))"
            }
        }
        return nil
    }
}
