// SPDX-License-Identifier: Apache-2.0
import GlimpseClient

/// The messages between the event stream and the broker's acknowledgement, in the order of the stream.
///
/// The cursor moves over messages that are acknowledged, as far as all earlier messages are too. A message that is not
/// acknowledged stays here and is published again on the next connection. The type is pure.
package struct DeliveryWindow: Sendable {
    package struct Message: Sendable, Equatable {
        /// Empty for a destination without topics.
        package var topic: String
        package var payload: [UInt8]
        /// The event's position; nil for a gap of unknown end.
        package var position: Position?

        package init(topic: String, payload: [UInt8], position: Position?) {
            self.topic = topic
            self.payload = payload
            self.position = position
        }
    }

    private struct Entry {
        var message: Message
        var isDone = false
    }

    /// The highest number of messages without acknowledgement.
    package let limit: Int
    private var entries: [Entry] = []
    /// The ticket of the first entry.
    private var first: UInt64 = 0
    /// The number of entries handed to the current connection.
    private var published = 0
    /// The position up to which everything is delivered; nil until known.
    package private(set) var cursor: Position?

    package init(limit: Int = 200, cursor: Position? = nil) {
        self.limit = limit
        self.cursor = cursor
    }

    package var hasRoom: Bool { entries.count < limit }
    package var count: Int { entries.count }

    package mutating func append(_ message: Message) { entries.append(Entry(message: message)) }

    /// Moves the cursor to a place before which the destination wants no event. Has no effect while messages wait,
    /// because the cursor may not pass them.
    package mutating func passed(_ position: Position) {
        if entries.isEmpty { cursor = position }
    }

    /// The next message for the current connection, with the ticket that acknowledges it.
    package mutating func next() -> (ticket: UInt64, message: Message)? {
        while published < entries.count {
            defer { published += 1 }
            if !entries[published].isDone { return (first + UInt64(published), entries[published].message) }
        }
        return nil
    }

    /// Whether `next` has a message.
    package var hasNext: Bool { published < entries.count }

    /// The message reached the broker, or the broker refused it for good. Unknown tickets have no effect.
    package mutating func finished(_ ticket: UInt64) {
        guard ticket >= first, ticket - first < UInt64(entries.count) else { return }
        entries[Int(ticket - first)].isDone = true
        var done = 0
        while done < entries.count, entries[done].isDone {
            if let position = entries[done].message.position { cursor = position }
            done += 1
        }
        guard done > 0 else { return }
        entries.removeFirst(done)
        first += UInt64(done)
        published = max(0, published - done)
    }

    /// The connection is lost: every message without acknowledgement is due again.
    package mutating func connectionLost() { published = 0 }
}
