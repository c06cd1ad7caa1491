// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Reads and writes whole files as bytes.
package enum TestFile {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package static func read(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "re") else {
            throw Failure(description: "\(path): \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    package static func write(_ bytes: some Collection<UInt8>, to path: String) throws {
        guard let file = fopen(path, "we") else {
            throw Failure(description: "\(path): \(String(cString: strerror(errno)))")
        }
        defer { fclose(file) }
        let bytes = Array(bytes)
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
            throw Failure(description: "\(path): \(String(cString: strerror(errno)))")
        }
    }
}
