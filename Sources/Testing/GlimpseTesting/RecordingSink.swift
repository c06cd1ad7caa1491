// SPDX-License-Identifier: Apache-2.0
import EventLines
import Pipelines
import Synchronization

/// Keeps all events of a pipeline.
package final class RecordingSink: EventSink {
    private let state = Mutex<[[EncodedEvent]]>([])

    package init() {}

    package func write(_ events: [EncodedEvent]) {
        state.withLock { $0.append(events) }
    }

    /// The events as written: one array per call.
    package var batches: [[EncodedEvent]] { state.withLock(\.self) }
    package var events: [EncodedEvent] { batches.flatMap(\.self) }
    package var lines: [[UInt8]] { events.map(\.line) }
    package var text: String { String(decoding: lines.flatMap(\.self), as: UTF8.self) }
}
