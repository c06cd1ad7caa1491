// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import Glibc
import GlimpseTesting
import Synchronization
import Testing

@testable import Pipelines

@Suite struct LatestSlotTests {
    @Test func theLatestSlotKeepsTheNewestValue() {
        let slot = LatestSlot<Int>()
        slot.put(1)
        slot.put(2)
        slot.put(3)
        #expect(slot.take() == 3)
        #expect(slot.dropped == 2)
        slot.put(4)
        #expect(slot.take() == 4)
        #expect(slot.dropped == 2)
    }

    @Test func aClosedSlotGivesItsPendingValueThenTheEnd() {
        let slot = LatestSlot<Int>()
        slot.put(1)
        slot.close()
        slot.close()
        slot.put(2)
        #expect(slot.take() == 1)
        for _ in 0..<3 { #expect(slot.take() == nil) }
        #expect(slot.dropped == 0)
    }

    @Test func closingASlotWakesAWaitingReader() {
        let slot = LatestSlot<Int>()
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            if slot.take() == nil { done.signal() }
        }
        slot.close()
        #expect(done.isSignalledInTime())
    }

    /// With any schedule, each value is taken once or counted as dropped, in order, and the last one always arrives.
    @Test(arguments: Fuzz.seeds(20))
    func everyValueASlotDropsIsCounted(seed: UInt64) {
        let slot = LatestSlot<Int>()
        let taken = Mutex<[Int]>([])
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            var random = SeededRandom(seed: seed &+ 1000)
            while let element = slot.take() {
                taken.withLock { $0.append(element) }
                if Int.random(in: 0..<8, using: &random) == 0 { sched_yield() }
            }
            done.signal()
        }
        var random = SeededRandom(seed: seed)
        for element in 1...2000 {
            slot.put(element)
            if Int.random(in: 0..<4, using: &random) == 0 { sched_yield() }
        }
        slot.close()
        #expect(done.isSignalledInTime())
        let elements = taken.withLock(\.self)
        #expect(elements == elements.sorted())
        #expect(elements.last == 2000)
        #expect(elements.count + slot.dropped == 2000)
    }

    /// A hand-off that waits for each answer stops for good if one wake-up is lost.
    @Test func noWakeUpOfASlotIsLost() {
        let (questions, answers) = (LatestSlot<Int>(), LatestSlot<Int>())
        Thread.detachNewThread {
            while let question = questions.take() { answers.put(question) }
        }
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            for number in 0..<5000 {
                questions.put(number)
                guard answers.take() == number else { return }
            }
            done.signal()
        }
        #expect(done.isSignalledInTime())
        questions.close()
    }
}
