// SPDX-License-Identifier: Apache-2.0
/// An event of a pipeline. Each case is one line type of the event stream.
public enum Event: Sendable, Equatable {
    case track(TrackEvent)
    case source(SourceEvent)
    case detector(DetectorEvent)
    case explain(ExplainEvent)
    case zone(ZoneEvent)
    case line(LineEvent)
    case snapshot(SnapshotEvent)
    case frameSnapshot(FrameSnapshotEvent)
    case search(SearchEvent)
    case frame(FrameEvent)
    case clip(ClipEvent)
}

extension EventEncoder {
    public mutating func encode(_ event: Event) -> EncodedEvent {
        switch event {
        case .track(let event): encode(event)
        case .source(let event): encode(event)
        case .detector(let event): encode(event)
        case .explain(let event): encode(event)
        case .zone(let event): encode(event)
        case .line(let event): encode(event)
        case .snapshot(let event): encode(event)
        case .frameSnapshot(let event): encode(event)
        case .search(let event): encode(event)
        case .frame(let event): encode(event)
        case .clip(let event): encode(event)
        }
    }
}
