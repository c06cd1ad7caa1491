// SPDX-License-Identifier: Apache-2.0
/// The retained messages of a destination: their wanted payloads, and those that the broker has. The type is pure.
///
/// Only the newest payload of a topic waits, so memory is bounded by the number of topics.
package struct RetainedTopics: Sendable {
    private var wanted: [String: [UInt8]] = [:]
    private var sent: [String: [UInt8]] = [:]
    /// Topics to publish, oldest first; a topic is here at most once.
    private var due: [String] = []
    private var isDue: Set<String> = []
    /// The topics that may have a retained message at the broker, from this process and from earlier ones.
    package private(set) var known: Set<String>

    /// - Parameter known: the topics of earlier processes.
    package init(known: Set<String> = []) { self.known = known }

    /// Wants this payload on the topic.
    package mutating func set(_ topic: String, _ payload: [UInt8]) {
        wanted[topic] = payload
        known.insert(topic)
        enqueue(topic)
    }

    /// Wants no message on any known topic outside `topics`.
    package mutating func keep(only topics: Set<String>) {
        for topic in known.subtracting(topics).sorted() {
            wanted[topic] = []
            enqueue(topic)
        }
    }

    /// The next message to publish. An empty payload removes the broker's message.
    package mutating func next() -> (topic: String, payload: [UInt8])? {
        while !due.isEmpty {
            let topic = due.removeFirst()
            isDue.remove(topic)
            guard let payload = wanted[topic], sent[topic] != payload else { continue }
            sent[topic] = payload
            if payload.isEmpty {
                wanted[topic] = nil
                sent[topic] = nil
                known.remove(topic)
            }
            return (topic, payload)
        }
        return nil
    }

    /// Wants every message to be published again.
    ///
    /// - Parameter first: the topics that come before all others.
    package mutating func repeatAll(first: (String) -> Bool) {
        sent = [:]
        let topics = wanted.keys.sorted()
        for topic in topics.filter(first) + topics.filter({ !first($0) }) { enqueue(topic) }
    }

    package var hasNext: Bool { !due.isEmpty }

    /// A new connection has none of the messages.
    package mutating func connected() {
        sent = [:]
        due = []
        isDue = []
        // Values of before the connection are history; topics to remove stay due.
        wanted = wanted.filter { $0.value.isEmpty }
        for topic in wanted.keys.sorted() { enqueue(topic) }
    }

    private mutating func enqueue(_ topic: String) {
        if isDue.insert(topic).inserted { due.append(topic) }
    }
}
