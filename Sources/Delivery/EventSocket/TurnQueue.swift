// SPDX-License-Identifier: Apache-2.0
import Glibc
import NIOCore

/// Elements of several users that wait. Users take turns of one element each, so that nobody waits for all elements of
/// another user. Each user's elements stay in order.
struct TurnQueue<Element> {
    private var waiting: [uid_t: CircularBuffer<Element>] = [:]
    /// The users with elements, each once.
    private var turns = CircularBuffer<uid_t>()

    var isEmpty: Bool { turns.isEmpty }

    mutating func append(_ element: Element, of user: uid_t) {
        if waiting[user] == nil { turns.append(user) }
        waiting[user, default: []].append(element)
    }

    /// The oldest element of the user whose turn it is; nil if the queue is empty.
    mutating func popFirst() -> Element? {
        guard let user = turns.popFirst(), let element = waiting[user]?.popFirst() else { return nil }
        if waiting[user]?.isEmpty == true { waiting[user] = nil } else { turns.append(user) }
        return element
    }
}
