import EventLines
import Pipelines
import Synchronization

/// Gathers a replay's lines and passes them on to standard output in large writes.
final class BufferedOutput: EventSink {
    private static let batch = 64 << 10

    private let bytes = Mutex<[UInt8]>([])

    func write(_ events: [EncodedEvent]) {
        bytes.withLock { bytes in
            for event in events { bytes.append(contentsOf: event.line) }
        }
    }

    /// - Parameter all: what is less than a batch too.
    func passOn(all: Bool = false) throws {
        let ready = bytes.withLock { bytes -> [UInt8] in
            guard all || bytes.count >= Self.batch else { return [] }
            defer { bytes = [] }
            return bytes
        }
        try StandardOutput.write(ready)
    }
}
