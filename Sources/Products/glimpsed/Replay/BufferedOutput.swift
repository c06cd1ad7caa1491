// SPDX-License-Identifier: Apache-2.0
import EventLines
import Pipelines
import Synchronization

/// Collects a replay's lines and writes them to standard output in large blocks.
final class BufferedOutput: EventSink {
    private static let batch = 64 << 10

    private let bytes = Mutex<[UInt8]>([])

    func write(_ events: [EncodedEvent]) {
        bytes.withLock { bytes in
            for event in events { bytes.append(contentsOf: event.line) }
        }
    }

    /// - Parameter all: whether to write an incomplete block too.
    func passOn(all: Bool = false) throws {
        let ready = bytes.withLock { bytes -> [UInt8] in
            guard all || bytes.count >= Self.batch else { return [] }
            defer { bytes = [] }
            return bytes
        }
        try StandardOutput.write(ready)
    }
}
