import Observations

/// The part of a lane behind its detector together with the outlet of what comes of it.
package struct ReportingLane {
    private(set) var tracking: LaneTracking
    /// What came of the last input. Kept from frame to frame, so that none allocates.
    private(set) var output = LaneOutput()
    private let outlet: (any LaneOutlet)?

    /// - Parameter outlet: nil: nobody listens.
    package init(_ plan: LanePlan, outlet: (any LaneOutlet)?) {
        tracking = LaneTracking(plan)
        self.outlet = outlet
    }

    /// - Parameter stages: where the frame's time went.
    package mutating func take(_ input: LaneInput, stages: () -> LaneStages = { LaneStages() }) {
        outlet?.laneTakes(input)
        tracking.take(input, into: &output)
        outlet?.take(output, stages: stages)
    }

    mutating func regionToMeasure() -> Box? { tracking.regionToMeasure() }

    /// Reports a failure, which no replay repeats: it is no input.
    mutating func report(_ failure: DetectorFailure) {
        output.removeAll()
        output.reports.append(.failure(failure))
        outlet?.take(output, stages: { LaneStages() })
    }
}
