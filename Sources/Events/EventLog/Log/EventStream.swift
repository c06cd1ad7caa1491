import EventLines
import Observations

/// A place that events go to: a socket, a bridge, a file.
///
/// `eventsRecorded` is called on the event loop that owns the log, once for each batch, in order, and returns at once. A sink that
/// cannot keep up keeps its place (a sequence number) and reads the journal later, or drops by its own policy; it never holds up the
/// log, and its errors are its own.
package protocol StreamSink: AnyObject {
    /// - Parameter sequences: those of the new records, all of them in `log.journal` unless the batch was larger than it.
    func eventsRecorded(_ sequences: Range<UInt64>, in log: EventLog)

    /// A detector has processed a frame. Called after the events of that frame.
    ///
    /// - Parameter event: the frame's line, which is in no log.
    func frameProcessed(_ event: EncodedEvent, ofPipeline pipeline: Int, in log: EventLog)
}

extension StreamSink {
    package func frameProcessed(_ event: EncodedEvent, ofPipeline pipeline: Int, in log: EventLog) {}
}

/// The log and the sinks that follow it. Lives on one event loop; not Sendable, and there is no lock.
package final class EventStream {
    package private(set) var log: EventLog
    private var sinks: [any StreamSink] = []
    private var published: UInt64

    package init(log: EventLog) {
        self.log = log
        published = log.journal.nextSequence
    }

    /// The sink gets everything that is recorded from now on.
    package func attach(_ sink: any StreamSink) {
        publish()
        sinks.append(sink)
    }

    /// Changes the log. Nobody sees the change before `publish()`, so that what comes together goes out together.
    package func record<Result>(_ change: (inout EventLog) -> Result) -> Result {
        change(&log)
    }

    /// Tells the sinks of a frame that a detector has processed, after all that was recorded before.
    ///
    /// - Returns: false when it is not a frame's line of this pipeline.
    package func passOn(_ event: EncodedEvent, ofPipeline pipeline: Int) -> Bool {
        guard log.admits(event, ofPipeline: pipeline) else { return false }
        publish()
        for sink in sinks { sink.frameProcessed(event, ofPipeline: pipeline, in: log) }
        return true
    }

    /// Tells the sinks what was recorded since the last time.
    package func publish() {
        let next = log.journal.nextSequence
        guard published < next else { return }
        let new = published..<next
        published = next
        for sink in sinks { sink.eventsRecorded(new, in: log) }
    }
}
