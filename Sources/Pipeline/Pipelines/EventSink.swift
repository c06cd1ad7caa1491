import EventLines

/// Takes what a pipeline says. Called from several threads.
public protocol EventSink: Sendable {
    /// The events of one frame and one detector, or a single other event: written together, in this order.
    func write(_ events: [EncodedEvent])
}
