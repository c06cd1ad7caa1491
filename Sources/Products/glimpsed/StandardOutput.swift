import ArgumentParser
import Glibc

/// Standard output, whole or not at all.
enum StandardOutput {
    /// Throws the command's quiet end when the reader has gone.
    static func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if written > 0 { rest = rest.dropFirst(written) } else if errno != EINTR { throw ExitCode.success }
        }
    }
}
