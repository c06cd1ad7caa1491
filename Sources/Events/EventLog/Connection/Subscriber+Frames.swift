import EventLines
import Observations

/// The frame lines of a subscriber. They are in no log and are never sent later.
extension Subscriber {
    /// Whether the subscriber requests frame lines.
    package var asksForFrames: Bool { isLive && filter.frames }

    /// Whether frame lines of one of these kinds from the pipeline can pass the subscriber's filter.
    package func wantsFrames(ofPipeline pipeline: Int, kinds: Set<FeatureKind>, _ log: EventLog) -> Bool {
        isLive && filter.wantsFrames(ofPipeline: pipeline, kinds: kinds, log)
    }

    /// Takes the line of a frame that a detector has processed.
    ///
    /// - Parameter hasRoom: whether the socket has taken all earlier bytes. If not, or if the subscriber is behind, the
    ///   line is left out and counted.
    /// - Returns: the number of the detector's earlier lines that this line replaces; nil if the subscriber does not
    ///   receive this line.
    package mutating func takeFrame(
        _ event: EncodedEvent, ofPipeline pipeline: Int, hasRoom: Bool, _ log: EventLog, at moment: Moment
    ) -> Int? {
        guard asksForFrames, filter.concerns(event, pipeline: pipeline, log) else { return nil }
        let keepsUp = hasRoom && !isAsking && !isFetching && cursor == log.journal.nextSequence
        guard let leftOut = frameGate.judge(event, ofPipeline: pipeline, hasRoom: keepsUp) else { return nil }
        lastSent = moment.instant
        return leftOut
    }
}
