// SPDX-License-Identifier: Apache-2.0
import Confinement
import Dispatch
import Testing

/// A confined value is used by its owner alone.
@Suite struct ConfinedTests {
    @Test func aQueueUsesItsConfinedValue() {
        let queue = DispatchQueue(label: "owner")
        let confined = Confined(1, to: queue)
        queue.sync { confined.with { $0 += 1 } }
        #expect(queue.sync { confined.with { $0 } } == 2)
    }

    @Test func theFirstThreadUsesItsConfinedValue() {
        let confined = Confined(toOneThread: [1])
        confined.with { $0.append(2) }
        #expect(confined.with { $0 } == [1, 2])
    }

    @Test func aUseOfAConfinedValueOutsideItsQueueEndsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            let confined = Confined(1, to: DispatchQueue(label: "owner"))
            confined.with { $0 += 1 }
        }
    }

    @Test func aUseOfAConfinedValueByASecondThreadEndsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            let confined = Confined(toOneThread: 1)
            confined.with { $0 += 1 }
            let done = DispatchSemaphore(value: 0)
            DispatchQueue(label: "other").async {
                confined.with { $0 += 1 }
                done.signal()
            }
            done.wait()
        }
    }
}
