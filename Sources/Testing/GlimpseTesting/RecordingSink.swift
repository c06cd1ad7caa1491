import EventLines
import Pipelines
import Synchronization

/// Keeps everything that a pipeline says.
package final class RecordingSink: EventSink {
    private let state = Mutex<[[EncodedEvent]]>([])

    package init() {}

    package func write(_ events: [EncodedEvent]) {
        state.withLock { $0.append(events) }
    }

    /// As they were written: one array for each call.
    package var batches: [[EncodedEvent]] { state.withLock(\.self) }
    package var events: [EncodedEvent] { batches.flatMap(\.self) }
    package var lines: [[UInt8]] { events.map(\.line) }
    package var text: String { String(decoding: lines.flatMap(\.self), as: UTF8.self) }
}
