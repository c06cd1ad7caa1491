// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import GStreamerSource

@Suite struct PacketPausesTests {
    private static let millisecond: Int64 = 1_000_000

    /// The times, in milliseconds, of the packets before which a thread pauses. A pause delays what comes in it.
    private func pauses(_ length: Int64, _ times: [Int64], isResting: (Int64) -> Bool = { _ in true }) -> [Int64] {
        var pauses = PacketPauses(length: length * Self.millisecond)
        var free: Int64 = 0
        return times.filter { time in
            let now = max(time * Self.millisecond, free)
            let isPausing = pauses.pausesBeforePacket(at: now) { isResting(time) }
            free = isPausing ? now + length * Self.millisecond : now
            return isPausing
        }
    }

    @Test func packetsThatWaitedPassTogether() {
        // 15 frames a second of four packets each.
        let frames: [Int64] = (0..<15).map { 1_000 + $0 * 1_000 / 15 }
        let times = frames.flatMap { [$0, $0 + 1, $0 + 2, $0 + 3] }
        #expect(pauses(100, times) == [1_000, 1_133, 1_266, 1_400, 1_533, 1_666, 1_800, 1_933])
    }

    @Test func aShortPauseComesOnceInABurst() {
        #expect(pauses(5, [1_000, 1_001, 1_002, 1_006, 1_012, 1_100, 1_101]) == [1_000, 1_100])
    }

    @Test func aCameraThatIsAwakeHasNoPauses() {
        let times: [Int64] = (0..<100).map { 1_000 + $0 * 10 }
        #expect(pauses(100, times) { _ in false }.isEmpty)
        #expect(pauses(100, times) { $0 >= 1_500 }.first == 1_500)
        #expect(pauses(100, times) { $0 < 1_500 }.last.map { $0 < 1_500 } == true)
    }
}
