// SPDX-License-Identifier: Apache-2.0
import EventLines
import Synchronization

/// Adds the totals to the crossings of a run in the foreground. The daemon's log does so itself. Any thread.
package final class LineCounter: EventSink {
    private let totals = Mutex(LineTotals())
    private let next: any EventSink

    package init(next: any EventSink) {
        self.next = next
    }

    package func write(_ events: [EncodedEvent]) {
        guard events.contains(where: { $0.kind == .line }) else { return next.write(events) }
        next.write(totals.withLock { totals in events.map { totals.count($0) } })
    }
}
