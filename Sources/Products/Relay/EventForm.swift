// SPDX-License-Identifier: Apache-2.0
import GlimpseClient

/// The form in which a destination receives events.
enum EventForm {
    /// A message on the topic of its pipeline, with `event_type`.
    case messages(TopicNames)
    /// The daemon's lines as they are.
    case lines

    func message(_ event: Event, type: String, position: Position) -> DeliveryWindow.Message {
        switch self {
        case .messages(let topics):
            let topic = event.pipeline.map(topics.event) ?? "\(topics.root)/event"
            return .init(topic: topic, payload: EventMessage.payload(event, type: type), position: position)
        case .lines: return .init(topic: "", payload: event.json, position: position)
        }
    }

    /// Events that no destination receives; nil if none of `types` was lost.
    ///
    /// - Parameters:
    ///   - run: the run of the lost events.
    ///   - after: the last event before the gap.
    ///   - position: the last lost event; nil if unknown.
    func message(
        _ gap: Gap, _ event: Event, run: String?, after: UInt64?, types: Set<String>, position: Position?
    ) -> DeliveryWindow.Message? {
        guard let payload = EventMessage.gap(gap, run: run, after: after, types: types) else { return nil }
        switch self {
        case .messages(let topics): return .init(topic: topics.gap, payload: payload, position: position)
        case .lines: return .init(topic: "", payload: event.json, position: position)
        }
    }
}
