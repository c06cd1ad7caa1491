// SPDX-License-Identifier: Apache-2.0
import Glibc
import Observations

/// The current time by both clocks: the monotonic clock for deadlines, and the wall clock for lines without a frame.
package struct Moment: Sendable, Equatable {
    package var instant: ContinuousClock.Instant
    package var time: Timestamp

    package init(instant: ContinuousClock.Instant, time: Timestamp) {
        self.instant = instant
        self.time = time
    }

    package static var now: Moment {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Moment(
            instant: .now, time: Timestamp(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)))
    }

    package func advanced(by duration: Duration) -> Moment {
        let (seconds, attoseconds) = duration.components
        return Moment(
            instant: instant + duration,
            time: time.advanced(byNanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
    }
}
