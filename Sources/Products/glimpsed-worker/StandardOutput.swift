// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
    import Glibc
#endif
import EventLines
import Pipelines
import Synchronization

/// Writes lines to standard output. Each write is complete before another thread's write begins.
final class StandardOutput: EventSink {
    private let isBroken = Mutex(false)
    private let whenBroken: @Sendable () -> Void

    /// - Parameter whenBroken: called once when the reader has closed the pipe.
    init(whenBroken: @escaping @Sendable () -> Void) {
        self.whenBroken = whenBroken
    }

    func write(_ events: [EncodedEvent]) {
        var bytes: [UInt8] = []
        for event in events { bytes.append(contentsOf: event.line) }
        write(bytes)
    }

    func write(_ bytes: [UInt8]) {
        let justBroke = isBroken.withLock { isBroken in
            guard !isBroken else { return false }
            isBroken = !Self.writeAll(bytes)
            return isBroken
        }
        if justBroke { whenBroken() }
    }

    private static func writeAll(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let written = Glibc.write(STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written > 0 { rest = rest.dropFirst(written) } else if errno != EINTR { return false }
            }
            return true
        }
    }
}

/// Writes a line for people to standard error.
func say(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = write(STDERR_FILENO, line, line.count)
}
