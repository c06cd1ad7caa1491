#if canImport(Glibc)
    import Glibc
#endif

/// Files that have their name only when they are whole.
package enum PictureFile {
    /// Writes `.NAME.part`, syncs it if asked, and renames it: in one step it takes the place of what was there. Mode 0640.
    package static func write(_ bytes: [UInt8], to path: String, isSynced: Bool = true) throws(PictureError) {
        if let problem = bytes.withUnsafeBytes({ write([$0], to: path, isSynced: isSynced) }) { throw problem }
    }

    /// The same for what lies in parts.
    ///
    /// - Returns: what went wrong; nil when the file is there.
    package static func write(
        _ parts: [UnsafeRawBufferPointer], to path: String, isSynced: Bool = true
    ) -> PictureError? {
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let part = "\(path[..<slash]).\(path[slash...]).part"
        let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard descriptor >= 0 else { return PictureError(part) }
        var isWhole = parts.allSatisfy { writeAll($0, to: descriptor) } && (!isSynced || fdatasync(descriptor) == 0)
        var problem = errno
        if close(descriptor) != 0, isWhole { (isWhole, problem) = (false, errno) }
        if isWhole, rename(part, path) == 0 { return nil }
        if isWhole { problem = errno }
        unlink(part)
        return PictureError(path, problem)
    }

    private static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// What could not be done with a file, and why.
package struct PictureError: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    init(_ path: String, _ problem: Int32 = errno) { description = "\(path): \(String(cString: strerror(problem)))" }
}
