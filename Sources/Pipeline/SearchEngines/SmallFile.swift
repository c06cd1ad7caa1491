// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import Search

/// Reads files that fit in memory.
enum SmallFile {
    /// The contents of a file; throws if the file is larger than `limit`.
    static func read(_ path: String, limit: Int) throws(SearchFailure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(path) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= limit else {
                throw SearchFailure(.crop, retryable: false, message: "\(path): larger than \(limit) bytes")
            }
        }
    }

    private static func failure(_ path: String) -> SearchFailure {
        SearchFailure(.crop, retryable: true, message: "\(path): \(String(cString: strerror(errno)))")
    }
}
