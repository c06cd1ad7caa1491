// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Glibc

/// Standard output. A write is complete, or throws.
enum StandardOutput {
    /// Throws `ExitCode.success` when the reader has closed the pipe, so that the command ends without a message.
    static func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if written > 0 { rest = rest.dropFirst(written) } else if errno != EINTR { throw ExitCode.success }
        }
    }
}
