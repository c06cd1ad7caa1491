// SPDX-License-Identifier: Apache-2.0
import Observations

/// The part of a lane behind its detector, together with the outlet of its output.
package struct ReportingLane {
    private(set) var tracking: LaneTracking
    /// The output of the last input. It is reused, so that frames cause no allocation.
    private(set) var output = LaneOutput()
    private let outlet: (any LaneOutlet)?
    private let alwaysExplains: Bool

    /// - Parameter outlet: nil discards the output.
    package init(_ plan: LanePlan, outlet: (any LaneOutlet)?) {
        tracking = LaneTracking(plan)
        alwaysExplains = plan.explains
        self.outlet = outlet
    }

    /// - Parameter stages: the stage times of the frame.
    package mutating func take(_ input: LaneInput, stages: () -> LaneStages = { LaneStages() }) {
        tracking.explains = alwaysExplains || outlet?.explains == true
        tracking.take(input, into: &output)
        outlet?.take(output, of: input, stages: stages)
    }

    mutating func regionToMeasure() -> Box? { tracking.regionToMeasure() }

    /// Reports a failure. A failure is not an input, so a replay does not repeat it.
    mutating func report(_ failure: DetectorFailure) {
        output.removeAll()
        output.reports.append(.failure(failure))
        outlet?.take(output, of: nil, stages: { LaneStages() })
    }
}
