// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import VisionDetectors

@Suite struct FinerLookScheduleTests {
    @Test func picturesWithoutAFaceAreSearchedAtIntervalsThatDoubleToAMinute() {
        var schedule = FinerLookSchedule()
        let looks = (0..<600).filter { schedule.isDue(at: Double($0) / 2) }
        #expect(looks == [0, 1, 3, 7, 15, 31, 63, 127, 247, 367, 487])
        // The time of a looped film restarts.
        let isDueAgain = schedule.isDue(at: 0)
        #expect(isDueAgain)
    }

    @Test func theFinerSearchEndsWhenSmallFacesWereFound() {
        var schedule = FinerLookSchedule()
        let isFirstDue = schedule.isDue(at: 0)
        #expect(isFirstDue)
        schedule.end()
        let looks = (0..<600).filter { schedule.isDue(at: Double($0)) }
        #expect(looks.isEmpty)
    }
}
