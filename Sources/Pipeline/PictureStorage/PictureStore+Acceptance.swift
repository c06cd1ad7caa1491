// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif

extension PictureStore {
    /// Marks a picture as accepted. The worker that owns the folder checks the mark before it deletes provisional
    /// pictures.
    ///
    /// - Parameters:
    ///   - file: the picture's path, `FOLDER/PIPELINE/NAME.jpg`.
    ///   - folder: the parent of the pipelines' folders. No file is created outside it.
    /// - Returns: the error; nil on success.
    package static func accept(_ file: String, in folder: String) -> String? {
        guard pipeline(of: file, in: folder) != nil else { return "\(file): not a picture stored in \(folder)" }
        let mark = "\(file.dropLast(".jpg".count)).saved"
        let descriptor = open(mark, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard descriptor >= 0 else { return PictureError(mark).description }
        close(descriptor)
        return nil
    }

    /// The pipeline of a stored picture; nil if the file is none.
    ///
    /// - Parameters:
    ///   - file: the picture's path, `FOLDER/PIPELINE/NAME.jpg`.
    ///   - folder: the parent of the pipelines' folders.
    package static func pipeline(of file: String, in folder: String) -> String? {
        let parts = file.dropFirst(folder.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        guard file.hasPrefix("\(folder)/"), parts.count == 2, file.hasSuffix(".jpg"),
            parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") })
        else { return nil }
        var status = stat()
        return lstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? String(parts[0]) : nil
    }
}
