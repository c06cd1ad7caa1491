/// An event of a pipeline. Each case is one line type of the event stream.
public enum Event: Sendable, Equatable {
    case track(TrackEvent)
    case source(SourceEvent)
    case detector(DetectorEvent)
    case explain(ExplainEvent)
    case zone(ZoneEvent)
    case snapshot(SnapshotEvent)
    case frameSnapshot(FrameSnapshotEvent)
    case search(SearchEvent)
    case frame(FrameEvent)
}
