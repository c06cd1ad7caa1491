// SPDX-License-Identifier: Apache-2.0
import EventLines

/// Takes the events of a pipeline. Called on several threads.
public protocol EventSink: Sendable {
    /// Takes the events of one frame and one detector, or a single other event. They must be written together, in this
    /// order.
    func write(_ events: [EncodedEvent])
}
