// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Testing

@testable import EventSocket

@Suite struct TurnQueueTests {
    @Test func usersTakeTurnsAndEachKeepsItsOrder() {
        var queue = TurnQueue<String>()
        for number in 1...4 { queue.append("a\(number)", of: 1) }
        queue.append("b1", of: 2)
        queue.append("c1", of: 3)
        queue.append("c2", of: 3)
        var order: [String] = []
        while let next = queue.popFirst() {
            order.append(next)
            if next == "a2" { queue.append("d1", of: 4) }
        }
        #expect(order == ["a1", "b1", "c1", "a2", "c2", "a3", "d1", "a4"])
        #expect(queue.isEmpty && queue.popFirst() == nil)
    }

    /// In any order of arrival, nobody waits longer than one element of each other user.
    @Test func nobodyWaitsForTwoElementsOfAnotherUser() {
        var random = SeededRandom(seed: 26)
        var queue = TurnQueue<(user: UInt32, number: Int)>()
        var (given, taken) = ([UInt32: Int](), [UInt32: Int]())
        /// The turns that others have had since a user's oldest element could come.
        var passed: [UInt32: [UInt32: Int]] = [:]
        for _ in 0..<20_000 {
            if Bool.random(using: &random) {
                // One user floods.
                let user = Int.random(in: 0..<4, using: &random) == 0 ? UInt32.random(in: 1...5, using: &random) : 0
                queue.append((user, given[user, default: 0]), of: user)
                given[user, default: 0] += 1
            } else if let (user, number) = queue.popFirst() {
                #expect(number == taken[user, default: 0])
                taken[user, default: 0] += 1
                passed[user] = nil
                for other in given.keys where other != user && given[other, default: 0] > taken[other, default: 0] {
                    passed[other, default: [:]][user, default: 0] += 1
                    #expect(passed[other]?[user] ?? 0 <= 1)
                }
            }
        }
        while let (user, _) = queue.popFirst() { taken[user, default: 0] += 1 }
        #expect(taken == given)
    }
}
