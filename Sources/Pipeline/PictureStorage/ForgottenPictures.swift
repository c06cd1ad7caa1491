// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import Observations

/// Deletes old pictures that no worker deletes: of removed pipelines, and of the snapshot command.
package enum ForgottenPictures {
    /// Applies the limits in the folders of unknown pipelines, and removes folders that are then empty. It also deletes
    /// snapshots by command (`PIPELINE.jpg`) of any pipeline that are too old.
    ///
    /// - Parameters:
    ///   - folder: the parent of the pipelines' folders. An absent folder needs no work.
    ///   - known: the names of the configured pipelines, whose folders are left alone.
    /// - Returns: the number of deleted pictures.
    @discardableResult
    package static func tidy(
        _ folder: String, known: Set<String>, limits: PictureLimits = PictureLimits(), now: Timestamp = .wallClock
    ) -> Int {
        guard let directory = opendir(folder) else { return 0 }
        defer { closedir(directory) }
        var deleted = 0
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { name in
                String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            }
            let path = "\(folder)/\(name)"
            var status = stat()
            guard !name.hasPrefix("."), lstat(path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR where !known.contains(name):
                guard let store = try? PictureStore(folder: path, limits: limits, now: now) else { continue }
                deleted += store.evicted
                if store.shelf.entries.isEmpty { rmdir(path) }
            case S_IFREG where name.hasSuffix(".jpg"):
                let written = Timestamp(nanoseconds: Int64(status.st_mtim.tv_sec) * 1_000_000_000)
                guard written < now.advanced(byNanoseconds: -limits.age.nanoseconds), unlink(path) == 0 else {
                    continue
                }
                unlink("\(path.dropLast(".jpg".count)).json")
                deleted += 1
            default: break
            }
        }
        return deleted
    }

    /// Applies the limits to the clips of pipelines that write none, and removes folders that are then empty.
    ///
    /// - Parameters:
    ///   - folder: the parent of the pipelines' folders. An absent folder needs no work.
    ///   - known: the names of the pipelines whose workers write clips.
    package static func tidyClips(_ folder: String, known: Set<String>, limits: PictureLimits) {
        guard let directory = opendir(folder) else { return }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { name in
                String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard !name.hasPrefix("."), !known.contains(name) else { continue }
            guard let clips = try? ClipFolder(folder: "\(folder)/\(name)", limits: limits) else { continue }
            _ = clips.recover()
            if clips.isEmpty { rmdir("\(folder)/\(name)") }
        }
    }
}
