// SPDX-License-Identifier: Apache-2.0
import CHeap
import GlimpseTesting
import Testing

@testable import DiskJournal

/// A journal commits five times a second, for years.
struct JournalHeapTests {
    @Test func commitsLeaveNoHeapBlocks() async {
        // The test runs in a separate process, without the allocations of other tests.
        await #expect(processExitsWith: .success) {
            let scope = TestScope()
            let bench = JournalBench(scope.folder, bytes: 1 << 20, sync: .seconds(3600))
            func commit(_ count: Int) { for _ in 0..<count { bench.journal.commit() } }
            commit(100)
            let before = heap_in_use()
            commit(2000)
            #expect(heap_in_use() == before)
            bench.journal.close()
        }
    }
}
