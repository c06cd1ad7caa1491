// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A file of a destination that is replaced as a whole: a crash at any time leaves the old content or the new one.
package struct DurableFile: Sendable {
    package struct Failure: Error, Sendable, CustomStringConvertible {
        package let description: String
    }

    package let path: String

    package init(_ path: String) { self.path = path }

    /// nil: there is no file.
    package func read() throws(Failure) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure("read")
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= 1 << 22 {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure("read")
            }
            bytes += buffer[..<count]
        }
        throw Failure(description: "\(path): larger than 4 MiB")
    }

    package func write(_ bytes: [UInt8]) throws(Failure) {
        let other = path + ".new"
        let descriptor = open(other, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else { throw failure("write") }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest.removeFirst(count) } else if errno != EINTR { throw failure("write") }
        }
        guard fdatasync(descriptor) == 0, rename(other, path) == 0 else { throw failure("write") }
    }

    private func failure(_ verb: String) -> Failure {
        Failure(description: "cannot \(verb) \(path): \(String(cString: strerror(errno)))")
    }
}
