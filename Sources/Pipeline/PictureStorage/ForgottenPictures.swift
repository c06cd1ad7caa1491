#if canImport(Glibc)
    import Glibc
#endif
import Observations

/// Pictures of pipelines that are not there any more: nobody else deletes them.
package enum ForgottenPictures {
    /// Keeps the limits in the folders of pipelines that are not known, removes those that are empty then, and deletes their pictures by command
    /// (`PIPELINE.jpg`) when they are too old.
    ///
    /// - Parameters:
    ///   - folder: where the pipelines' folders are. Without it there is nothing to do.
    ///   - known: names of pipelines whose folders are somebody's.
    /// - Returns: how many pictures were deleted.
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
            case S_IFREG where name.hasSuffix(".jpg") && !known.contains(String(name.dropLast(".jpg".count))):
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
}
