// SPDX-License-Identifier: Apache-2.0
/// The numbers that stand for topics on one connection of MQTT 5. The first topics get them, up to the broker's limit.
/// The type is pure.
package struct TopicAliases: Sendable {
    package struct Alias: Sendable, Equatable {
        package var number: UInt16
        /// Whether the broker knows the number, so that the topic can be left out.
        package var isKnown: Bool
    }

    /// The broker's Topic Alias Maximum; 0: none.
    private let limit: UInt16
    private var numbers: [String: UInt16] = [:]

    package init(limit: UInt16 = 0) { self.limit = limit }

    /// The number for a message on the topic; nil if no number is left.
    package func alias(of topic: String) -> Alias? {
        if let number = numbers[topic] { return Alias(number: number, isKnown: true) }
        return numbers.count < Int(limit) ? Alias(number: UInt16(numbers.count) + 1, isKnown: false) : nil
    }

    /// The broker gets a message with the topic and its number.
    package mutating func published(_ topic: String, _ alias: Alias) { numbers[topic] = alias.number }
}
