// SPDX-License-Identifier: Apache-2.0
import EventLines
import Observations

/// The requested lines of a subscriber. They are in no log and are never sent later.
extension Subscriber {
    /// Whether the subscriber requests lines that are in no log.
    package var asksForLines: Bool { isLive && !filter.requested.isEmpty }

    /// The requested lines about one of these kinds from the pipeline that can pass the subscriber's filter.
    package func requestedLines(
        ofPipeline pipeline: Int, kinds: Set<FeatureKind>, _ log: EventLog
    ) -> RequestedLines {
        isLive ? filter.requestedLines(ofPipeline: pipeline, kinds: kinds, log) : []
    }

    /// Takes a line that is in no log.
    ///
    /// - Parameter hasRoom: whether the socket has taken all earlier bytes. If not, or if the subscriber is behind, the
    ///   line is left out and counted.
    /// - Returns: the number of the detector's earlier lines of this type that this line replaces; nil if the
    ///   subscriber does not receive this line.
    package mutating func takeRequested(
        _ event: EncodedEvent, ofPipeline pipeline: Int, hasRoom: Bool, _ log: EventLog, at moment: Moment
    ) -> Int? {
        guard isLive, filter.requested.contains(event.kind.request),
            filter.concerns(event.header, pipeline: pipeline, log)
        else { return nil }
        let keepsUp = hasRoom && !isAsking && !isFetching && cursor == log.journal.nextSequence
        guard let leftOut = requestedGate.judge(event, ofPipeline: pipeline, hasRoom: keepsUp) else { return nil }
        lastSent = moment.instant
        return leftOut
    }
}
