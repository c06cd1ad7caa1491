#if canImport(Glibc)
    import Glibc
#endif

extension PictureStore {
    /// Marks a picture as one to be kept: whoever keeps its folder sees the mark before it deletes what nobody accepted.
    ///
    /// - Parameters:
    ///   - file: a picture's path, `FOLDER/PIPELINE/NAME.jpg`.
    ///   - folder: where the pipelines' folders are. Nothing is made outside of it.
    /// - Returns: what is wrong; nil: it is marked.
    package static func accept(_ file: String, in folder: String) -> String? {
        let problem = "\(file): no picture that is kept in \(folder)"
        let parts = file.dropFirst(folder.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        guard file.hasPrefix("\(folder)/"), parts.count == 2, file.hasSuffix(".jpg"),
            parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") })
        else { return problem }
        var status = stat()
        guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return problem }
        let mark = "\(file.dropLast(".jpg".count)).saved"
        let descriptor = open(mark, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard descriptor >= 0 else { return PictureError(mark).description }
        close(descriptor)
        return nil
    }
}
