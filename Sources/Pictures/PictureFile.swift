#if canImport(Glibc)
    import Glibc
#endif

/// Files that have their name only when they are whole.
package enum PictureFile {
    /// Writes `.NAME.part`, syncs it if asked, and renames it: in one step it takes the place of what was there. Mode 0640.
    package static func write(_ bytes: [UInt8], to path: String, isSynced: Bool = true) throws(PictureError) {
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let part = "\(path[..<slash]).\(path[slash...]).part"
        let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o640)
        guard descriptor >= 0 else { throw PictureError(part) }
        var isWhole = writeAll(bytes, to: descriptor) && (!isSynced || fdatasync(descriptor) == 0)
        var problem = errno
        if close(descriptor) != 0, isWhole { (isWhole, problem) = (false, errno) }
        if isWhole, rename(part, path) == 0 { return }
        if isWhole { problem = errno }
        unlink(part)
        throw PictureError(path, problem)
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest.removeFirst(count)
        }
        return true
    }
}

/// What could not be done with a file, and why.
package struct PictureError: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    init(_ path: String, _ problem: Int32 = errno) { description = "\(path): \(String(cString: strerror(problem)))" }
}
