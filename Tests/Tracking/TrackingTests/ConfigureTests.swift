// SPDX-License-Identifier: Apache-2.0
import GlimpseTesting
import Observations
import Testing
import Tracking

/// A change of the configuration of a running tracker.
@Suite struct ConfigureTests {
    @Test func tracksSurviveAChangeOfTheTrackerConfiguration() {
        var tracker = Tracker(.object)
        func seen(_ time: Double, _ detections: [Detection]) -> [TrackChange] {
            tracker.process(detections, frame: .at(time, number: Int(time * 10) + 1))
        }
        #expect(seen(0, [.object(x: 100, y: 300)]).map(\.phase) == [.detected, .update])
        var configuration = TrackerConfiguration.object
        configuration.gap = .time(limit: 4)
        configuration.hits = 5
        tracker.configure(configuration)
        #expect(seen(0.1, [.object(x: 100, y: 300)]).map(\.track.id) == [TrackID(1)])
        // The object is absent for two seconds. The preset ends a track after one second.
        for step in 2...20 { #expect(seen(Double(step) / 10, []).map(\.phase) == [.missing]) }
        #expect(seen(2.1, [.object(x: 100, y: 300)]).map(\.track.id) == [TrackID(1)])
        configuration.gap = .time(limit: 0.5)
        tracker.configure(configuration)
        let ends = (22...40).flatMap { seen(Double($0) / 10, []) }.map(\.phase)
        #expect(ends.last == .completed(.gone) && ends.count == 6)
    }
}
