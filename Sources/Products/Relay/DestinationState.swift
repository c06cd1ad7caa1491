// SPDX-License-Identifier: Apache-2.0
import GlimpseClient
import JSONLines

/// The state of a destination for people and programs. It has no password, and of a webhook's address only the origin.
struct DestinationState: Sendable {
    let name: String
    /// `mqtt`, `webhook`
    let kind: String
    /// The address of the newest connection; nil before the first.
    var address: String?
    /// A webhook counts as connected unless its newest request failed.
    var isConnected = false
    /// The newest problem since the last connection was made.
    var error: String?
    /// Messages that the destination acknowledged since the relay started.
    var sent: UInt64 = 0
    /// Messages that the destination refused for good, or for too long, since the relay started.
    var skipped: UInt64 = 0
    /// The place in the log up to which everything is delivered; nil until known.
    var cursor: Position?
    /// Messages that were read and are not acknowledged.
    var windowCount = 0
    /// The last event read.
    var position: Position?
    /// Events that were received and not read.
    var queue: Handoff<Event>?

    /// Whether the journal may have more events for the destination than the relay has received.
    var isBehind: Bool { queue?.isFull ?? false }

    /// The number of events that the destination has not acknowledged. While the relay is behind it is an upper bound,
    /// because it counts all events of the journal.
    ///
    /// - Parameter newest: the daemon's newest event; nil if unknown.
    func unacknowledged(newest: Position?) -> UInt64 {
        var waiting = UInt64(queue?.count ?? 0)
        if isBehind, let newest, let position, [nil, newest.runID].contains(position.runID),
            newest.sequence > position.sequence
        {
            waiting = max(waiting, newest.sequence - position.sequence)
        }
        return UInt64(windowCount) + waiting
    }

    func write(to json: inout JSONWriter, newest: Position?) {
        json.object { json in
            json.member("name", name)
            json.member("kind", kind)
            if let address { json.member("address", address) }
            json.member("connected", isConnected)
            json.member("unacknowledged", unacknowledged(newest: newest))
            json.member("sent", sent)
            json.member("skipped", skipped)
            if let cursor, let run = cursor.runID {
                json.object("cursor") { json in
                    json.member("run_id", run)
                    json.member("seq", cursor.sequence)
                }
            }
            if let error { json.member("error", error) }
        }
    }
}
