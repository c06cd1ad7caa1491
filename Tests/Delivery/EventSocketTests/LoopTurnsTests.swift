// SPDX-License-Identifier: Apache-2.0
import Glibc
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import EventSocket

@Suite struct LoopTurnsTests {
    /// Each turn takes longer than the pause, so the next is due before the loop has examined its sockets.
    @Test func theLoopExaminesItsSocketsBetweenTwoTurns() async throws {
        let ticks = LoopTicks()
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1, metricsDelegate: ticks)
        let turns = LoopTurns(eventLoop: group.next(), ticks: ticks)
        let seen = await withCheckedContinuation { (continuation: CheckedContinuation<[UInt64], Never>) in
            let seen = Mutex<[UInt64]>([])
            @Sendable func serve(_: LoopTurn) {
                let all = seen.withLock { seen in
                    seen.append(ticks.ended)
                    return seen
                }
                guard all.count < 5 else { return continuation.resume(returning: all) }
                turns.goOn(serve)
                usleep(2_000)
            }
            turns.begin(serve)
        }
        #expect(Set(seen).count == 5 && seen == seen.sorted())
        try await group.shutdownGracefully()
    }
}
