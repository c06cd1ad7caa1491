// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import VisionDetectors

@Suite struct FinerLookScheduleTests {
    @Test func picturesWithoutAFaceAreSearchedAtIntervalsThatDoubleToFiveSeconds() {
        var schedule = FinerLookSchedule()
        let looks = (0..<600).filter { schedule.isDue(at: Double($0) / 30) }
        #expect(looks == [0, 15, 45, 105, 225, 375, 525])
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
