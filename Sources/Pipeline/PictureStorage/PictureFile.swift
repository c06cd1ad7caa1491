// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif

/// Writes files that appear under their names only when they are complete.
package enum PictureFile {
    /// Writes `.NAME.part`, syncs it if requested, and renames it, which replaces an existing file atomically. The mode
    /// is 0640.
    package static func write(_ bytes: [UInt8], to path: String, isSynced: Bool = true) throws(PictureError) {
        if let problem = bytes.withUnsafeBytes({ write([$0], to: path, isSynced: isSynced) }) { throw problem }
    }

    /// Writes a file from several parts, in the steps of `write(_:to:isSynced:)` for bytes.
    ///
    /// - Returns: the error; nil on success.
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

    static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
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

/// The error of an operation on a file.
package struct PictureError: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    init(_ path: String, _ problem: Int32 = errno) { description = "\(path): \(String(cString: strerror(problem)))" }
}
