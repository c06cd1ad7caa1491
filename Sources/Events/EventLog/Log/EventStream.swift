// SPDX-License-Identifier: Apache-2.0
import EventLines
import Observations

/// A destination of events: a socket, a bridge, a file.
///
/// `eventsRecorded` is called on the event loop that owns the log, once for each batch, in order, and must return at
/// once. A sink that cannot keep up stores its position (a sequence number) and reads the journal later, or drops
/// events by its own policy. A sink never blocks the log, and handles its own errors.
package protocol StreamSink: AnyObject {
    /// - Parameter sequences: the sequence numbers of the new records. All are in `log.journal` unless the batch was
    ///   larger than the journal.
    func eventsRecorded(_ sequences: Range<UInt64>, in log: EventLog)

    /// Called for each line that only some subscribers request. It comes after the events that were recorded before.
    ///
    /// - Parameter event: a line that is in no log.
    func requestedLineArrived(_ event: EncodedEvent, ofPipeline pipeline: Int, in log: EventLog)
}

extension StreamSink {
    package func requestedLineArrived(_ event: EncodedEvent, ofPipeline pipeline: Int, in log: EventLog) {}
}

/// The log and the sinks that follow it. It belongs to one event loop: it is not Sendable and has no lock.
package final class EventStream {
    package private(set) var log: EventLog
    private var sinks: [any StreamSink] = []
    private var published: UInt64
    /// The events recorded since the last `publish()`, by the time at which they were encoded.
    package private(set) var made: [(time: UInt64, count: UInt64)] = []

    package init(log: EventLog) {
        self.log = log
        published = log.journal.nextSequence
    }

    /// Attaches a sink, which receives all events recorded from now on.
    package func attach(_ sink: any StreamSink) {
        publish()
        sinks.append(sink)
    }

    /// Changes the log. Sinks see the change at the next `publish()`, so that events recorded together are delivered
    /// together.
    package func record<Result>(_ change: (inout EventLog) -> Result) -> Result {
        change(&log)
    }

    /// Records that an event that was encoded at a known time is in the log.
    ///
    /// - Parameter time: in nanoseconds of the monotonic clock.
    package func noteMade(at time: UInt64) {
        if let last = made.indices.last, made[last].time == time {
            made[last].count += 1
        } else {
            made.append((time, 1))
        }
    }

    /// Passes a requested line to the sinks, after all events recorded before.
    ///
    /// - Returns: false if the event is not a requested line of this pipeline.
    package func passOn(_ event: EncodedEvent, ofPipeline pipeline: Int) -> Bool {
        guard log.admits(event, ofPipeline: pipeline) else { return false }
        publish()
        for sink in sinks { sink.requestedLineArrived(event, ofPipeline: pipeline, in: log) }
        return true
    }

    /// Passes the events recorded since the last call to the sinks.
    package func publish() {
        let next = log.journal.nextSequence
        defer { made.removeAll(keepingCapacity: true) }
        guard published < next else { return }
        let new = published..<next
        published = next
        for sink in sinks { sink.eventsRecorded(new, in: log) }
    }
}
