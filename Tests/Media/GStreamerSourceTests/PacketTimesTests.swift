// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import GStreamerSource

@Suite struct PacketTimesTests {
    private var times = PacketTimes()

    private mutating func times(_ packets: [(stamp: UInt32, given: UInt)]) -> [UInt] {
        packets.map { times.time(given: $0.given, stamp: $0.stamp) }
    }

    @Test mutating func timesThatGrowStay() {
        #expect(times([(0, 5), (0, 5), (6_000, 71), (6_000, 71), (12_000, 137)]) == [5, 5, 71, 71, 137])
    }

    @Test mutating func framesOfOneTimeFollowEachOther() {
        let packets: [(stamp: UInt32, given: UInt)] = [
            (0, 5), (6_000, 71), (12_000, 71), (12_000, 71), (18_000, 71), (24_000, 72), (30_000, 137),
        ]
        #expect(times(packets) == [5, 71, 72, 72, 73, 74, 137])
    }

    /// B-frames come after the frame that they are shown before.
    @Test mutating func framesOutOfOrderKeepTheirTimes() {
        #expect(times([(0, 0), (9_000, 300), (3_000, 100), (6_000, 200), (12_000, 400)]) == [0, 300, 100, 200, 400])
    }

    @Test mutating func stampsWrapRound() {
        #expect(times([(.max - 1, 70), (4_000, 70), (10_000, 136)]) == [70, 71, 136])
    }

    /// A camera that sets its clock back.
    @Test mutating func stampsMayBeginAnew() {
        let packets: [(stamp: UInt32, given: UInt)] = [(90_000, 5), (6_000, 71), (12_000, 71), (18_000, 137)]
        #expect(times(packets) == [5, 71, 72, 137])
    }

    @Test mutating func theLatestTimesDoNoHarm() {
        #expect(times([(0, .max - 1), (1, .max - 1), (2, .max - 1), (3, .max - 1)]).count == 4)
    }

    /// A jitter buffer that starts anew.
    @Test mutating func timesMayGoBack() {
        #expect(times([(0, 1_000), (6_000, 200), (12_000, 200), (18_000, 300)]) == [1_000, 200, 201, 300])
    }
}
