import EventLines
import Observations

/// What a subscriber gets of frames: lines that are in no log, and so are never sent later.
extension Subscriber {
    /// Whether it asks for frames' lines at all.
    package var asksForFrames: Bool { isLive && filter.frames }

    /// Whether frames' lines of one of these kinds from the pipeline may be for it.
    package func wantsFrames(ofPipeline pipeline: Int, kinds: Set<FeatureKind>, _ log: EventLog) -> Bool {
        isLive && filter.wantsFrames(ofPipeline: pipeline, kinds: kinds, log)
    }

    /// A detector has processed a frame.
    ///
    /// - Parameter hasRoom: whether its socket has taken everything. If not, or while it is behind, the line is left out and counted.
    /// - Returns: how many of the detector's lines this one stands for besides itself; nil: it does not get this one.
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
