// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The picture files of tracks and searches, as named in event lines.
package enum HistoryPicture {
    /// The folder `snapshots` beside the database.
    static func folder(ofDatabase path: String) -> String {
        let state = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return "\(state)/snapshots"
    }

    /// Deletes the pictures of removed entries with their accompanying files. Deletes nothing outside the folder,
    /// because a worker may have written any path into its line.
    static func delete(_ paths: [String], in folder: String) {
        for path in paths where isInside(path, folder) {
            let stem = path.dropLast(".jpg".count)
            for suffix in [".jpg", ".json", ".saved"] { unlink(stem + suffix) }
        }
    }

    /// Whether a path leads to a picture in the folder.
    package static func isInside(_ path: String, _ folder: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return path.hasPrefix("\(folder)/") && path.hasSuffix(".jpg") && !parts.contains("..") && !parts.contains(".")
    }
}
