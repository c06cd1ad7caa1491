import FoundationEssentials
import Glibc

/// A track's picture, as `best` of its `completed` line names it.
enum TrackPicture {
    private struct Best: Decodable {
        var snapshot: String?
    }

    /// - Parameter best: JSON.
    static func path(_ best: String) -> String? {
        (try? JSONDecoder().decode(Best.self, from: Data(best.utf8)))?.snapshot
    }

    /// `snapshots` beside the database.
    static func folder(ofDatabase path: String) -> String {
        let state = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return "\(state)/snapshots"
    }

    /// Deletes the pictures of tracks that are forgotten, with what is beside them. Nothing outside of the folder: a worker may have written what it
    /// liked into its line.
    static func delete(_ best: [String], in folder: String) {
        for path in best.compactMap(path) where isInside(path, folder) {
            let stem = path.dropLast(".jpg".count)
            for suffix in [".jpg", ".json", ".saved"] { unlink(stem + suffix) }
        }
    }

    static func isInside(_ path: String, _ folder: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return path.hasPrefix("\(folder)/") && path.hasSuffix(".jpg") && !parts.contains("..") && !parts.contains(".")
    }
}
